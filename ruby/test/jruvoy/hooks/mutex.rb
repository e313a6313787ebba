# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"

describe Thread::Mutex do
  include OnLoop

  let(:mutex) { subject.new }

  it "lets the other fibers run while one waits for it" do
    order = beside_turns do |task, turns|
      order = []
      holder = task.async { mutex.synchronize { turns.await && order << 1 } }
      mutex.synchronize { order << 2 }
      holder.wait
      order
    end

    expect(order).to be == [1, 2]
  end

  it "waits for a thread that holds it" do
    owned = beside_turns do |_, turns|
      thread = Thread.new { mutex.synchronize { turns.await } }
      sleep(0.001) until mutex.locked? || !thread.alive?
      mutex.synchronize { mutex.owned? }
    end

    expect(owned).to be == true
  end

  it "belongs to one fiber" do
    on_loop do |task|
      mutex.lock
      other = task.async { [mutex.try_lock, mutex.owned?, raised(ThreadError) { mutex.unlock }] }.wait

      expect(other.first(2)).to be == [false, false]
      expect(other.last).to be_a(ThreadError)
      expect(raised(ThreadError) { mutex.lock }).to be_a(ThreadError)
      expect(mutex).to be(:owned?)
      mutex.unlock
    end
  end

  it "is given up while it sleeps" do
    events = on_loop do |task|
      events = []
      sleeper = task.async { mutex.synchronize { events << mutex.sleep(0.02) && events << mutex.owned? } }
      mutex.synchronize { events << :other }
      sleeper.wait
      events
    end

    expect(events).to be == [:other, 0, true]
  end

  it "goes to the next one when a waiter is cancelled" do
    count = on_loop do |task|
      count = 0
      mutex.lock
      waiting = Array.new(4) { task.async { mutex.synchronize { count += 1 } } }
      waiting[0].stop
      waiting[2].stop
      mutex.unlock
      waiting.each(&:wait)
      count
    end

    expect(count).to be == 2
    expect(mutex).not.to be(:locked?)
  end

  it "keeps fibers and threads apart" do
    count = 0
    shared = mutex # Made once, before the threads race for it.
    threads = Array.new(2) { Thread.new { 200.times { shared.synchronize { count += 1 } } } }
    on_loop do |task|
      workers = Array.new(5) do
        task.async { 100.times { shared.synchronize { slow_increment(task) { |by| count += by } } } }
      end
      workers.each(&:wait)
    end
    threads.each(&:join)

    expect(count).to be == 900
  end

  def slow_increment(task)
    seen = yield 0
    task.yield
    yield seen + 1 - (yield 0)
  end
end
