# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

module Jruvoy
  module Hooks
    # Runs commands without blocking the owner.
    module Commands
      # @asynchronous Parks the fiber. A command that is cancelled gets SIGTERM.
      # @returns [Boolean | Nil] Whether the command succeeded; nil when there is none.
      def system(*command, exception: false, **options)
        return super unless Fiber.current_scheduler

        pid = Commands.spawn(command, options, exception) or return nil
        Commands.await(pid)
        raise "Command failed with exit #{$?.exitstatus}: #{command.join(" ")}" if exception && !$?.success?

        $?.success?
      end

      # @asynchronous Parks the fiber. A command that is cancelled goes on without us.
      # @returns [String] What the command wrote.
      def `(command)
        Offload.call { super }
      end

      # Start a command.
      # @returns [Integer | Nil] The process; nil when it could not start.
      def self.spawn(command, options, exception)
        Process.spawn(*command, **options)
      rescue SystemCallError
        raise if exception
      end

      # Wait for a command, and end it when that is cancelled.
      def self.await(pid)
        Process.wait(pid)
        ended = true
      ensure
        unless ended
          Process.kill(:TERM, pid)
          Process.detach(pid)
        end
      end
    end

    [Kernel, Object, Kernel.singleton_class].each { |target| target.prepend(Commands) }
  end
end
