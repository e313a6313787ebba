# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

module Jruvoy
  # Runs work that blocks in Java on a thread of its own while the calling fiber waits.
  module Offload
    # Run the block, on a helper thread when the caller is a fiber that can wait.
    #
    # When the fiber is cancelled meanwhile, the helper is killed; with `discard` it is
    # left to finish, and its late result is given to that instead.
    # @asynchronous Parks the fiber. Runs on the owner.
    # @parameter discard [Proc | Nil] Takes a result that nobody waits for any more.
    # @returns [Object] The block's result; its exception is raised here.
    def self.call(discard: nil, &work)
      scheduler = Fiber.current_scheduler
      return work.call if scheduler.nil? || Fiber.current.blocking?
      # A scheduler may have a way of its own, by the hook that Ruby has for it.
      return scheduler.blocking_operation_wait(work) if scheduler.respond_to?(:blocking_operation_wait)

      Helper.new(work, discard).wait
    end

    # One piece of work on its thread. Whoever of the two comes last takes the result.
    class Helper
      # @parameter work [Proc] What to do.
      # @parameter discard [Proc | Nil] Takes a result that nobody waits for any more.
      def initialize(work, discard)
        @work = work
        @discard = discard
        @settled = java.util.concurrent.atomic.AtomicBoolean.new
        @thread = Thread.new { run }
        @thread.report_on_exception = false
      end

      # Wait for the work's end, and pass on what it did to `$?`.
      # @asynchronous Parks the fiber. Runs on the owner.
      # @returns [Object] The work's result.
      def wait
        result = @thread.value
        taken = true
        Owner.last_status = @status if @status
        result
      ensure
        abandon unless taken
      end

      private

      # The first of the two to settle leaves the result to the other.
      def settle = @settled.compare_and_set(false, true)

      def run
        @result = @work.call
        @status = $?
        @discard&.call(@result) unless settle
        @result
      end

      def abandon
        return @thread.kill unless @discard

        @discard.call(@result) unless settle
      end
    end

    private_constant :Helper
  end
end
