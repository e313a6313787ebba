# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "socket"
require_relative "../scheduler"

module Jruvoy
  module Hooks
    # Operations that must not wait. JRuby hands their reads and writes to the scheduler as it
    # does with those that may, and the scheduler waits.
    module Nonblock
      # @returns [String | Symbol | Nil] What could be read; :wait_readable; nil at the end.
      # @raises [IO::EAGAINWaitReadable]
      def read_nonblock(length, buffer = nil, exception: true)
        selector = Nonblock.selector
        return super if selector.nil? || length.zero? || selector.io_readable?(self)
        return :wait_readable unless exception

        raise IO::EAGAINWaitReadable, "read would block"
      end

      # @returns [Integer | Symbol] How many bytes could be written; :wait_writable.
      # @raises [IO::EAGAINWaitWritable]
      def write_nonblock(data, exception: true)
        selector = Nonblock.selector or return super
        text = data.to_s
        flush
        count = text.empty? ? 0 : selector.io_write_now(self, text)
        return count if count
        return :wait_writable unless exception

        raise IO::EAGAINWaitWritable, "write would block"
      end

      # @returns [Selector | Nil] The one that the calling fiber waits by.
      def self.selector
        scheduler = Fiber.current_scheduler
        scheduler.selector_for_nonblock if scheduler.respond_to?(:selector_for_nonblock)
      end
    end

    # JRuby takes away what it was only asked to look at.
    module Peek
      # @returns [String | Symbol | Nil] What came; :wait_readable; nil at the end.
      # @raises [IO::EAGAINWaitReadable]
      def recv_nonblock(length, flags = 0, buffer = nil, exception: true)
        selector = flags == Socket::MSG_PEEK ? Nonblock.selector : nil
        return super if selector.nil?

        found, = selector.io_receive(self, length, flags)
        return found.empty? ? nil : (buffer ? buffer.replace(found) : found) if found
        return :wait_readable unless exception

        raise IO::EAGAINWaitReadable, "recvfrom(2) would block"
      end
    end

    # Lets the hooks reach the selector below Async's scheduler.
    module SelectorForNonblock
      # @returns [Selector | Nil] Ours, if it is one of ours.
      def selector_for_nonblock = (@selector if @selector.is_a?(Selector))
    end

    # JRuby's sockets have a read_nonblock of their own.
    [IO, BasicSocket].each { |type| type.prepend(Nonblock) }
    BasicSocket.prepend(Peek)
    Async::Scheduler.prepend(SelectorForNonblock)
  end
end
