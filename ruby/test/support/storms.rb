# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require_relative "on_loop"

# What storms of threads and fibers on one primitive are made of. JRUVOY_RACE_ROUNDS runs
# each of them that many times.
module Storms
  include OnLoop

  ROUNDS = Integer(ENV.fetch("JRUVOY_RACE_ROUNDS", "1"))

  # Ends a wait in a storm.
  class Interrupted < StandardError; end

  # Lets a description define storms.
  module Definition
    # A test that is repeated.
    def storm(text, &storm)
      it(text) { ROUNDS.times { instance_exec(&storm) } }
    end
  end

  # The block in so many fibers of a loop.
  def fibers(count, &block)
    on_loop { |task| Array.new(count) { |i| task.async { block.call(i) } }.map(&:wait) }
  end

  # The block in so many threads, which have started.
  def threads(count, &block)
    Array.new(count) { |i| Thread.new { block.call(i) } }
  end

  # A number that any thread may count up.
  def counter = java.util.concurrent.atomic.AtomicInteger.new

  # Cancel one of some tasks again and again, by turns by an end of its task and by an
  # exception, until the block says that it is enough; who is cancelled is replaced.
  def with_cancels(task, count, work)
    running = []
    turn = 0
    until yield
      running.select!(&:alive?)
      running << task.async(&work) while running.size < count
      task.yield
      victim = running.delete_at(rand(running.size))
      next unless victim.alive?

      (turn += 1).odd? ? victim.stop : Fiber.scheduler.raise(victim.fiber, Interrupted)
    end
    running.each(&:stop)
  end
end
