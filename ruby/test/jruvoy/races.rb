# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"
require "monitor"
require "timeout"

# Storms of threads, fibers, timeouts and cancels on one primitive each: nothing that was
# pushed, signalled or unlocked may get lost. JRUVOY_RACE_ROUNDS runs them that many times.
describe "races" do
  include OnLoop

  ROUNDS = Integer(ENV.fetch("JRUVOY_RACE_ROUNDS", "1"))

  def self.storm(text, &storm)
    it(text) { ROUNDS.times { instance_exec(&storm) } }
  end

  # The block in so many fibers of a loop.
  def fibers(count, &block)
    on_loop { |task| Array.new(count) { |i| task.async { block.call(i) } }.map(&:wait) }
  end

  def threads(count, &block)
    Array.new(count) { |i| Thread.new { block.call(i) } }
  end

  def counter = java.util.concurrent.atomic.AtomicInteger.new

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

  # Cancel one of some tasks again and again, by turns by an end of its task and by an exception, until the block
  # says that it is enough; who is cancelled is replaced.
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

  # Ends a wait in a storm.
  class Interrupted < StandardError; end

  storm "exceptions and ends of tasks take nothing out of a queue" do
    queue = Queue.new
    taken = 0
    on_loop do |task|
      pushing = task.async { 300.times { |i| queue.push(i) && (i % 10 == 0 && task.yield) } }
      pop = lambda do |_|
        taken += 1 while queue.pop
      rescue Interrupted
        nil
      end
      with_cancels(task, 5, pop) { taken == 300 }
      pushing.wait
    end

    expect([taken, queue.size]).to be == [300, 0]
  end

  storm "fibers push and pop a queue of two with tiny timeouts" do
    queue = SizedQueue.new(2)
    pushed = 0
    taken = counter
    popping = threads(2) { taken.increment_and_get while queue.pop }
    fibers(8) { 100.times { pushed += 1 if queue.push(1, timeout: 0.0002) } }
    fibers(8) do |i|
      50.times do
        if i.odd?
          pushed += 1 if queue.push(1, timeout: 0.0002)
        elsif queue.pop(timeout: 0.0002)
          pushed -= 1
        end
      end
    end
    queue.close
    popping.each(&:join)

    expect(taken.get).to be == pushed
  end

  storm "a queue of one goes on when who pushes and who pops is cancelled" do
    queue = SizedQueue.new(1)
    there = taken = 0
    on_loop do |task|
      push = lambda do |_|
        (queue.push(1) && there += 1) while there < 200
      rescue Interrupted
        nil
      end
      popping = task.async { taken += 1 while queue.pop }
      with_cancels(task, 4, push) { there >= 200 }
      queue.close
      popping.wait
    end

    expect(taken).to be == there
  end

  storm "a mutex is left by everyone who gave up waiting for it in time" do
    mutex = Mutex.new
    inside = most = 0
    hold = lambda do
      most = [most, inside += 1].max
      Thread.pass
      inside -= 1
    end
    running = threads(2) { 200.times { mutex.synchronize(&hold) } }
    fibers(6) do
      40.times do
        Timeout.timeout(0.0005) { mutex.synchronize { sleep(0.0002) && hold.call } }
      rescue Timeout::Error
        nil
      end
    end
    running.each(&:join)

    expect(mutex).not.to be(:locked?)
    expect([inside, most]).to be == [0, 1]
  end

  storm "a monitor goes on when its waiters are cancelled" do
    monitor = Monitor.new
    count = 0
    on_loop do |task|
      enter = lambda do |own|
        monitor.synchronize { monitor.synchronize { own.yield && count += 1 } }
        monitor.synchronize { count += 1 }
      rescue Interrupted
        nil
      end
      with_cancels(task, 4, enter) { count >= 100 }
    end

    expect(monitor).not.to be(:mon_locked?)
  end

  storm "signals reach as many as were sent, whoever gives up" do
    mutex = Mutex.new
    condition = ConditionVariable.new
    tokens = used = 0
    signalling = threads(2) { 100.times { mutex.synchronize { (tokens += 1) && condition.signal } } }
    on_loop do |task|
      use = lambda do |_|
        mutex.synchronize do
          condition.wait(mutex, rand(2) == 0 ? 0.0005 : nil) until tokens.positive?
          tokens -= 1
          used += 1
        end
      rescue Interrupted
        nil
      end
      with_cancels(task, 5, use) { used == 200 }
    end
    signalling.each(&:join)

    expect([tokens, used]).to be == [0, 200]
    expect(mutex).not.to be(:locked?)
  end

  storm "threads are joined by those who stay" do
    joined = 0
    on_loop do |task|
      join = lambda do |_|
        Thread.new { sleep(rand * 0.002) }.join(rand(2) == 0 ? 0.001 : nil) && joined += 1
      rescue Interrupted
        nil
      end
      with_cancels(task, 8, join) { joined >= 50 }
    end

    expect(joined).to be >= 50
  end

  storm "a wake that comes too late cuts no later sleep short" do
    short = fibers(1) do
      Array.new(100) do
        queue = Queue.new
        Thread.new { sleep(0.001) && queue << 1 }
        queue.pop(timeout: 0.001)
        start = now
        sleep(0.003)
        now - start < 0.0029 ? 1 : 0
      end.sum
    end

    expect(short).to be == [0]
  end
end
