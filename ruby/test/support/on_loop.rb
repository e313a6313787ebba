# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "jruvoy/scheduler"
require "jruvoy/hooks"

# Runs parts of a test as tasks of a reactor of the test's own thread. A test that blocks its
# loop ends the process, with the stacks of its threads.
module OnLoop
  # Seconds. Longer than anything that works takes, also on a machine that is busy.
  LIMIT = 60

  # Counts the turns of a loop.
  class Turns
    # @returns [Integer] How many there were.
    attr_reader :count

    def initialize = @count = 0

    # Count, until the task is stopped.
    def run(task)
      loop do
        task.yield
        @count += 1
      end
    end

    # Wait until the loop has turned some more times. For fibers and threads.
    # @returns [Turns] Itself.
    def await(more = 3)
      goal = @count + more
      sleep(0.001) until @count >= goal
      self
    end
  end

  # Run the block as a task.
  # @returns [Object] The block's result.
  def on_loop(&block)
    watchdog = Thread.new { sleep(LIMIT) && give_up }
    Sync { |task| block.call(task) }
  ensure
    watchdog.kill
  end

  # Run the block as a task, beside another one that counts the turns of the loop.
  # @yields {|task, turns| ...}
  # @returns [Object] The block's result.
  def beside_turns(&block)
    on_loop do |task|
      turns = Turns.new
      counter = task.async { |own| turns.run(own) }
      block.call(task, turns)
    ensure
      counter&.stop
    end
  end

  # @returns [Float] Seconds of a clock that only goes forward.
  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

  # @returns [Exception | Nil] What the block raises, if it is of this class.
  def raised(type)
    yield
    nil
  rescue type => error
    error
  end

  private

  def give_up
    warn "a test has blocked its loop"
    java.lang.Thread.all_stack_traces.each do |thread, frames|
      warn(thread, frames.map { |frame| "  #{frame}" })
    end
    java.lang.Runtime.runtime.halt(99)
  end
end
