# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

# Times one operation on the owner that runs this file, in a fiber, and prints the nanoseconds of each batch.
#
#     primitives.rb CASE bridge|stock WARM_UP_SECONDS SECONDS
#
# "bridge" is a task of our scheduler over our selector and hooks, as a handler is; "stock" a fiber of the same
# thread without any of it, where JRuby's own classes are as they were made.
require_relative "operations"

# Repeats an operation in batches of about the same time.
class Batches
  BATCH_SECONDS = 0.1
  CALLS = 300

  # @parameter operation [Method] Does something so many times.
  def initialize(operation)
    @operation = operation
    @times = 20
  end

  # Run until the compilers have had their time, and find how many make a batch. JRuby's counts calls, so that the
  # first ones are short.
  def warm_up(seconds)
    ends = now + seconds
    CALLS.times { @operation.call(@times) }
    while now < ends
      nanoseconds = measure
      @times = (@times * 2) if nanoseconds * @times < BATCH_SECONDS * 1e9 / 2
    end
  end

  # @returns [Array(Float)] Nanoseconds per operation, batch by batch.
  def run(seconds)
    ends = now + seconds
    results = []
    results << measure.round(2) while now < ends
    results
  end

  private

  def measure
    began = now
    @operation.call(@times)
    (now - began) * 1e9 / @times
  end

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

# Run a block where the operation is to be timed.
def place(mode)
  return Fiber.new { yield }.resume if mode == "stock"

  require "jruvoy/scheduler"
  require "jruvoy/hooks"
  scheduler = Jruvoy::Scheduler.new(Jruvoy::Selector.new(Fiber.current))
  scheduler.run { yield }
end

name, mode, warm_up, seconds = ARGV
place(mode) do
  batches = Batches.new(Operations.method(name))
  batches.warm_up(warm_up.to_f)
  puts "nanoseconds #{batches.run(seconds.to_f).join(" ")}"
end
