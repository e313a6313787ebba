# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "jruby"

JRuby::Util.load_ext("jruvoy.owner.OwnerLibrary")

module Jruvoy
  # The event loop under Async's scheduler: ready fibers, descriptors and the owner's
  # inbox in one turn and one sleep. Most of it is Java (`jruvoy.owner.OwnerSelector`).
  class Selector
    # Wait for a child process to change its state.
    # @asynchronous Parks the fiber. Runs on the owner.
    # @parameter fiber [Fiber] The calling fiber.
    # @parameter pid [Integer] The process, or what `Process.wait` takes for several.
    # @parameter flags [Integer] Flags of `Process::Status.wait`.
    # @returns [Process::Status | Nil] With a process of -1 when there is no such child.
    def process_wait(fiber, pid, flags)
      while (status = Process::Status.wait(pid, flags | Process::WNOHANG)).nil? || status.pid.zero?
        return nil if flags.anybits?(Process::WNOHANG)
        next if pid.positive? && flags.zero? && wait_for_exit(fiber, pid)

        Offload.call { Owner.await_child(pid, flags) }
      end
      status
    end
  end
end

require_relative "offload"
