# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_owners"
require "monitor"

# Storms of fibers of two owners on one primitive each: a fiber that one owner parks is woken
# by a fiber of the other. JRUVOY_RACE_ROUNDS runs them that many times.
describe "owners" do
  include OnOwners

  ROUNDS = Integer(ENV.fetch("JRUVOY_RACE_ROUNDS", "1"))

  def self.storm(text, &storm)
    it(text) { ROUNDS.times { instance_exec(&storm) } }
  end

  it "run side by side" do
    barrier = java.util.concurrent.CyclicBarrier.new(2)
    on_two_owners(1) { barrier.await(OnLoop::LIMIT, java.util.concurrent.TimeUnit::SECONDS) }

    expect(barrier.broken?).to be == false
  end

  it "have a loop and a thread of their own" do
    loops = on_two_owners(2) { [Fiber.scheduler, java.lang.Thread.current_thread.name] }

    expect(loops.map { |scheduler, _| scheduler.object_id }.uniq.size).to be == 2
  end

  storm "exchange values by queues" do
    there, back = Queue.new, Queue.new
    sums = on_two_owners(10) do |owner, _|
      if owner.zero?
        Array.new(100) { there.push(1) && back.pop }.sum
      else
        100.times { back << there.pop }
        0
      end
    end

    expect(sums.sum).to be == 1000
    expect([there, back].map(&:size)).to be == [0, 0]
  end

  storm "fill and empty a queue of two" do
    queue = SizedQueue.new(2)
    sums = on_two_owners(5) do |owner, i|
      if owner == i % 2
        100.times { queue << 1 }
        queue << 1 if i == 2
        0
      else
        Array.new(100) { queue.pop }.sum
      end
    end

    expect(sums.sum).to be == 500
    expect(queue.size).to be == 1
  end

  storm "pop with tiny timeouts and lose nothing" do
    queue = Queue.new
    taken = on_two_owners(5) do |owner, i|
      count = 0
      if owner.zero? && i.zero?
        1000.times { |j| queue << j; sleep(0) if j % 50 == 0 }
        queue.close
      else
        count += 1 if queue.pop(timeout: 0.0001) until queue.closed? && queue.empty?
      end
      count
    end

    expect(taken.sum).to be == 1000
  end

  storm "keep each other out by a mutex" do
    mutex = Mutex.new
    count = 0
    on_two_owners(10) do |_, i|
      100.times { |j| mutex.synchronize { sleep(0) if (i + j) % 31 == 0; count += 1 } }
    end

    expect(count).to be == 2000
    expect(mutex).not.to be(:locked?)
  end

  storm "keep each other out by a monitor" do
    monitor = Monitor.new
    count = 0
    on_two_owners(10) do |_, i|
      100.times { |j| monitor.synchronize { monitor.synchronize { sleep(0) if (i + j) % 31 == 0; count += 1 } } }
    end

    expect(count).to be == 2000
  end

  storm "take turns by a condition" do
    mutex = Mutex.new
    condition = ConditionVariable.new
    turn = 0
    on_two_owners(1) do |owner, _|
      300.times do
        mutex.synchronize do
          condition.wait(mutex) until turn == owner
          turn = 1 - owner
          condition.signal
        end
      end
    end

    expect(turn).to be == 0
  end

  storm "take turns by a condition of a monitor" do
    monitor = Monitor.new
    condition = monitor.new_cond
    turn = 0
    on_two_owners(1) do |owner, _|
      300.times do
        monitor.synchronize do
          condition.wait_until { turn == owner }
          turn = 1 - owner
          condition.broadcast
        end
      end
    end

    expect(turn).to be == 0
  end

  storm "wait for the same threads" do
    threads = Array.new(20) { |i| Thread.new { sleep(rand * 0.01) && i } }
    sums = on_two_owners(20) { |_, i| threads[i].value }

    expect(sums.sum).to be == 2 * 190
  end

  storm "raise what the other has sent" do
    waiting = Queue.new
    ends = on_two_owners(5) do |owner, _|
      if owner.zero?
        waiting << Thread.current
        begin
          sleep
        rescue ArgumentError => error
          error.message
        end
      else
        waiting.pop.raise(ArgumentError, "sent")
        "done"
      end
    end

    expect(ends.tally).to be == {"sent" => 5, "done" => 5}
  end
end
