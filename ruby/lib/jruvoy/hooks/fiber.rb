# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require_relative "../scheduler"

# Fiber#transfer and Fiber#raise: a fiber that was cancelled can wait again, and an
# Enumerator that slept can be resumed again.
Jruvoy::Owner.repair_fiber

# Thread#raise, #kill, #wakeup and #run of a fiber's thread: delivered by the scheduler.
Jruvoy::Owner.repair_thread

module Jruvoy
  module Hooks
    # A handler cannot take the owner's scheduler away from the other requests.
    module SetScheduler
      # @raises [ThreadError] In a fiber of an owner.
      def set_scheduler(scheduler)
        raise ThreadError, "this thread's scheduler belongs to the server" if Fiber.current_scheduler.is_a?(Scheduler)

        super
      end
    end

    # Thread.stop in a fiber lets the others run until somebody wakes it. On a thread JRuby's own would lose a cancel.
    module Stop
      # @asynchronous Parks the fiber.
      # @returns [Nil]
      def stop
        sleep
        nil
      end
    end

    # Thread.exit in a task ends the task.
    module ContainExit
      private

      def schedule
        super { Owner.contain_exit { yield } }
      end
    end

    Fiber.singleton_class.prepend(SetScheduler)
    Thread.singleton_class.prepend(Stop)
    Async::Task.prepend(ContainExit)
  end
end
