# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

module Jruvoy
  # The schedulers under which a probe tries operations.
  class Probe
    # Ends an operation as soon as it has reached the scheduler.
    class Reached < Exception; end

    # A scheduler that lets nothing wait.
    class Recorder
      # What our hooks look at before they wait: there is nothing.
      class Nothing
        def io_readable?(*) = false
        def io_receive(*) = nil
      end

      %i[
        address_resolve block blocking_operation_wait fiber io_read io_select io_wait
        io_write kernel_sleep process_wait timeout_after
      ].each do |hook|
        define_method(hook) { |*, **| raise Reached }
      end

      # @returns [Nothing]
      def selector_for_nonblock = Nothing.new

      # A wake that comes too late for its fiber.
      def unblock(*) = nil

      # Nothing runs that would have to end.
      def close = nil
    end

    # A scheduler in which a fiber waits for an IO, and that takes note when the wait is interrupted.
    class Parking < Recorder
      # Parks the fiber.
      def io_wait(*) = Fiber.yield

      # Ends the operation.
      def fiber_interrupt(*) = raise(Reached)
    end
  end
end
