# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "socket"
require_relative "nonblock"

module Jruvoy
  module Hooks
    # Descriptors that go through a socket: JRuby's call begins when it need not wait. No other fiber runs in between.
    module PassIo
      # @asynchronous Parks the fiber until the other side has sent something.
      # @returns [IO | Integer] What came, as the class that was asked for.
      # @raises [SocketError] When it was no descriptor, or the end; JRuby stumbles over both.
      def recv_io(...)
        selector = Nonblock.selector
        wait_readable until selector.nil? || selector.io_readable?(self)
        super
      rescue java.lang.ArrayIndexOutOfBoundsException
        raise SocketError, "file descriptor was not passed"
      end

      # @asynchronous Parks the fiber while the other side is slow.
      # @parameter io [IO | Integer] What to send.
      def send_io(io)
        selector = Nonblock.selector
        wait_writable until selector.nil? || selector.io_select(Fiber.current, nil, [self], nil, true)
        super
      end
    end

    UNIXSocket.prepend(PassIo)
  end
end
