# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require_relative "../scheduler"

module Jruvoy
  module Hooks
    # IO.select by the owner's own descriptors. Async starts a thread for each call.
    module Select
      # @asynchronous Parks the fiber until an IO of a set is ready, or the time has passed.
      # @parameter timeout [Numeric | Nil] Seconds; 0 only looks.
      # @returns [Array(Array) | Nil] What is ready to read, to write, has priority data.
      # @raises [IOError] When one of them is closed, also while the fiber waits.
      def io_select(readable = nil, writable = nil, urgent = nil, timeout = nil)
        return super unless @selector.respond_to?(:io_select)

        Kernel.raise ArgumentError, "time interval must not be negative" if timeout&.negative?

        sets = [readable, writable, urgent]
        expired = timeout&.zero? || false
        fiber = Fiber.current
        timer = timeout && !expired && @timers.after(timeout) { (expired = true) && fiber.alive? && fiber.transfer }
        ready = @selector.io_select(fiber, *sets, expired)
        ready = @selector.io_select(fiber, *sets, expired) until ready || expired
        ready || nil
      ensure
        timer&.cancel! if timer
      end
    end

    Async::Scheduler.prepend(Select)
  end
end
