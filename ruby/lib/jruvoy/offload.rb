# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

module Jruvoy
  # Run a block that blocks in Java (JDBC, `Java::...`, files) without holding up others: in a
  # fiber that can wait, on a thread of a bounded pool while the fiber is parked; on any other
  # thread, such as one of `mode: threads`, in place. Calls beyond the pool wait in order.
  #
  # When the client leaves, or the fiber is interrupted otherwise (`Async::Task#stop`, a
  # timeout), a block that waits for the pool never runs. One that runs is interrupted: first
  # `on_cancel` is called, then a wait of Ruby in the block raises {Cancelled}, a wait of Java
  # ends by an InterruptedException. The fiber goes on, and the request is over, only when
  # the block has really ended. In place it is the same for the threads of `mode: threads`:
  # however the block ended, {Cancelled} is raised here.
  #
  # The block sees the caller's `Fiber[]`, and a `Thread.current` of its own.
  # @asynchronous Parks the fiber, or blocks the thread.
  # @parameter on_cancel [#call | Nil] Makes the block end soon. Called at most once, on
  #   another thread, while the block runs: `-> { statement.cancel }`, `-> { socket.close }`.
  # @returns [Object] The block's result; its exception is raised here.
  def self.offload(on_cancel: nil, &work)
    return Offload.pool.run(on_cancel, &work) if Offload.parks?

    Offload.guard(on_cancel, &work)
  end

  # Runs work that blocks in Java on a thread of its own while the calling fiber waits.
  module Offload
    # Threads of {pool} where no server says otherwise.
    THREADS = 16

    class << self
      # Where {Jruvoy.offload} runs its blocks.
      # @parameter pool [ThreadPool]
      attr_writer :pool

      # @returns [ThreadPool] The server's; where there is none, one of its own.
      def pool = @pool ||= ThreadPool.new(THREADS, "offload")

      # Run the block in place, on the calling thread.
      # @parameter on_cancel [#call | Nil] As in {Jruvoy.offload}.
      # @returns [Object] The block's result.
      def guard(on_cancel, &work) = ThreadPool.guard(on_cancel, &work)

      # Whether the caller can be parked, so that its work goes to another thread.
      # @returns [Boolean]
      def parks? = Fiber.current_scheduler && !Fiber.current.blocking? ? true : false
    end

    # Run the block of a hook, on a helper thread when the caller is a fiber that can wait.
    #
    # When the fiber is cancelled meanwhile, the helper is killed; with `discard` it is
    # left to finish, and its late result is given to that instead.
    # @asynchronous Parks the fiber. Runs on the owner.
    # @parameter discard [Proc | Nil] Takes a result that nobody waits for any more.
    # @returns [Object] The block's result; its exception is raised here.
    def self.call(discard: nil, &work)
      return work.call unless parks?

      scheduler = Fiber.current_scheduler
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
