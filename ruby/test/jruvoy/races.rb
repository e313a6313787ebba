# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/storms"
require "monitor"

# Storms of threads, fibers and timeouts on one primitive each: nothing that was pushed,
# signalled or unlocked may get lost.
describe "races" do
  include Storms
  extend Storms::Definition

  storm "threads push, fibers pop" do
    queue = Queue.new
    pushing = threads(4) { 2000.times { queue << 1 } }
    taken = fibers(20) { Array.new(400) { queue.pop }.sum }.sum
    pushing.each(&:join)

    expect(taken).to be == 8000
    expect(queue).to be(:empty?)
  end

  storm "pops with tiny timeouts lose nothing" do
    queue = Queue.new
    pushing = threads(1) { 3000.times { |i| queue.push(i) && (i % 50 == 0 && Thread.pass) } }.first
    taken = counter
    fibers(10) do
      taken.increment_and_get if queue.pop(timeout: 0.0001) while pushing.alive? || !queue.empty?
    end

    expect(taken.get).to be == 3000
  end

  storm "fibers and threads pop the same queue" do
    queue = Queue.new
    taken = counter
    popping = threads(3) { taken.increment_and_get while queue.pop }
    threads(1) { 5000.times { |i| queue << i } && queue.close }
    fibers(10) { taken.increment_and_get while queue.pop }
    popping.each(&:join)

    expect(taken.get).to be == 5000
  end

  storm "cancelled fibers take nothing with them" do
    queue = Queue.new
    pushing = threads(1) { 1000.times { |i| queue.push(i) && (i % 100 == 0 && sleep(0.001)) } }.first
    taken = 0
    on_loop do |task|
      popping = []
      until taken == 1000
        popping << task.async { taken += 1 while queue.pop } while popping.size < 10
        task.yield
        popping.delete_at(rand(10)).stop
      end
      popping.each(&:stop)
    end
    pushing.join

    expect([taken, queue.size]).to be == [1000, 0]
  end

  storm "a queue of one goes from threads to fibers and back" do
    there = SizedQueue.new(1)
    back = SizedQueue.new(1)
    threads(1) { 1000.times { |i| there << i } }
    summing = threads(1) { Array.new(1000) { back.pop }.sum }.first
    fibers(5) { 200.times { back << there.pop } }

    expect(summing.value).to be == 499_500
  end

  storm "a mutex keeps threads and fibers apart" do
    mutex = Mutex.new
    count = 0
    running = threads(4) { 500.times { mutex.synchronize { count += 1 } } }
    fibers(10) { |i| 100.times { |j| mutex.synchronize { sleep(0) if (i + j) % 97 == 0; count += 1 } } }
    running.each(&:join)

    expect(count).to be == 3000
  end

  storm "a mutex goes on when its waiters are cancelled" do
    mutex = Mutex.new
    on_loop do |task|
      50.times do
        holder = task.async { mutex.synchronize { task.yield } }
        waiting = Array.new(5) { task.async { mutex.synchronize { task.yield } } }
        [2, 0].each { |i| waiting[i].stop }
        [holder, *waiting].each(&:wait)
      end
    end

    expect(mutex).not.to be(:locked?)
  end

  storm "a monitor keeps threads and fibers apart" do
    monitor = Monitor.new
    count = 0
    running = threads(4) { 500.times { monitor.synchronize { monitor.synchronize { count += 1 } } } }
    fibers(10) { 100.times { monitor.synchronize { count += 1 } } }
    running.each(&:join)

    expect(count).to be == 3000
  end

  storm "a thread and a fiber take turns by a condition" do
    mutex = Mutex.new
    condition = ConditionVariable.new
    turn = 0
    play = lambda do |mine|
      500.times do
        mutex.synchronize do
          condition.wait(mutex) until turn == mine
          turn = 1 - mine
          condition.signal
        end
      end
    end
    thread = threads(1) { play.call(1) }.first
    on_loop { play.call(0) }
    thread.join

    expect(turn).to be == 0
  end

  storm "a broadcast reaches everyone who waits, timed or not" do
    mutex = Mutex.new
    condition = ConditionVariable.new
    generation = woken = 0
    on_loop do |task|
      waiting = Array.new(20) do |i|
        task.async do
          mutex.synchronize do
            condition.wait(mutex, i.odd? ? 0.002 : nil) while generation == 0
            woken += 1
          end
        end
      end
      sleep(0.01)
      waiting.first(2).each(&:stop)
      Thread.new { mutex.synchronize { (generation = 1) && condition.broadcast } }
      waiting.each(&:wait)
    end

    expect(woken).to be == 18
  end

  storm "two loops exchange values" do
    there, back = Queue.new, Queue.new
    other = Thread.new { fibers(5) { 100.times { back << there.pop } } }
    sum = fibers(5) { Array.new(100) { there.push(1) && back.pop }.sum }.sum
    other.join

    expect(sum).to be == 500
  end

  storm "many threads are waited for" do
    sum = fibers(100) { |i| Thread.new { sleep(rand * 0.01) && i }.value }.sum

    expect(sum).to be == 4950
  end
end
