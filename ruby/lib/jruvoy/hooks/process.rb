# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

module Jruvoy
  module Hooks
    # Waits for child processes by the scheduler.
    module ProcessWait
      # @asynchronous Parks the fiber.
      # @returns [Integer | Nil] The process that has ended.
      def wait(pid = -1, flags = 0)
        scheduler = Fiber.current_scheduler
        return super if scheduler.nil? || flags.anybits?(Process::WNOHANG)

        status = scheduler.process_wait(pid, flags)
        # There is no such child: JRuby raises the error.
        return super(pid, flags | Process::WNOHANG) unless status&.pid&.positive?

        (Owner.last_status = status).pid
      end

      # @asynchronous Parks the fiber.
      # @returns [Array | Nil] The process that has ended, and its status.
      def wait2(pid = -1, flags = 0)
        id = wait(pid, flags)
        id && [id, $?]
      end

      # @asynchronous Parks the fiber.
      # @returns [Array] Every child and its status.
      def waitall
        return super unless Fiber.current_scheduler

        ended = []
        ended << wait2 while true
      rescue Errno::ECHILD
        ended
      end

      alias waitpid wait
      alias waitpid2 wait2
    end

    # As ProcessWait, for the form that leaves `$?` alone.
    module StatusWait
      # @asynchronous Parks the fiber.
      # @returns [Process::Status | Nil] Of the process that has ended.
      def wait(pid = -1, flags = 0)
        scheduler = Fiber.current_scheduler
        return super if scheduler.nil? || flags.anybits?(Process::WNOHANG)

        scheduler.process_wait(pid, flags)
      end
    end

    Process.singleton_class.prepend(ProcessWait)
    Process::Status.singleton_class.prepend(StatusWait)
  end
end
