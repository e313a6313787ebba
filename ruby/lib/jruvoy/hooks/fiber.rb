# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

module Jruvoy
  # An exception for a whole thread, such as Interrupt, on its way to the thread's loop, which
  # may have masked it. In the ready list it stands for a fiber.
  class LoopSignal
    # @parameter thread [Thread] Whose loop.
    # @parameter exception [Exception]
    def initialize(thread, exception)
      @thread = thread
      @exception = exception
    end

    # @returns [Boolean]
    def alive? = @thread.alive?

    # Called by the loop.
    def transfer = @thread.raise(@exception)
  end
end

# Fiber#transfer and Fiber#raise: a fiber that was cancelled can wait again, and an
# Enumerator that slept can be resumed again.
Jruvoy::Owner.repair_fiber

# Thread#raise and #kill of a fiber's thread: delivered by the scheduler.
Jruvoy::Owner.repair_thread
