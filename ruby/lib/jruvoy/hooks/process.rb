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
        return super unless status&.pid&.positive?

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
        Offload.call { super }
      end

      alias waitpid wait
      alias waitpid2 wait2
    end

    Process.singleton_class.prepend(ProcessWait)
  end
end
