# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/storms"
require "monitor"
require "timeout"

# As races.rb, while those who wait are cancelled or give up: what they leave goes to others.
describe "races with cancels" do
  include Storms
  extend Storms::Definition

  storm "exceptions and ends of tasks take nothing out of a queue" do
    queue = Queue.new
    taken = 0
    on_loop do |task|
      pushing = task.async { 300.times { |i| queue.push(i) && (i % 10 == 0 && task.yield) } }
      pop = lambda do |_|
        taken += 1 while queue.pop
      rescue Storms::Interrupted
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
      rescue Storms::Interrupted
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
      rescue Storms::Interrupted
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
      rescue Storms::Interrupted
        nil
      end
      with_cancels(task, 5, use) { used == 200 }
    end
    signalling.each(&:join)

    expect([tokens, used]).to be == [0, 200]
    expect(mutex).not.to be(:locked?)
  end

  storm "a monitor's condition reaches as many as were signalled, whoever gives up" do
    monitor = Monitor.new
    condition = monitor.new_cond
    tokens = used = 0
    signalling = threads(2) { 50.times { monitor.synchronize { (tokens += 1) && condition.signal } } }
    on_loop do |task|
      use = lambda do |_|
        monitor.synchronize do
          condition.wait(rand(2) == 0 ? 0.0005 : nil) until tokens.positive?
          tokens -= 1
          used += 1
        end
      rescue Storms::Interrupted
        nil
      end
      with_cancels(task, 5, use) { used == 100 }
    end
    signalling.each(&:join)

    expect([tokens, used, monitor.mon_locked?]).to be == [0, 100, false]
  end

  storm "threads are joined by those who stay" do
    joined = 0
    on_loop do |task|
      join = lambda do |_|
        Thread.new { sleep(rand * 0.002) }.join(rand(2) == 0 ? 0.001 : nil) && joined += 1
      rescue Storms::Interrupted
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
