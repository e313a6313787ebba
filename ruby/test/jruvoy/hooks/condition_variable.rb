# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"

describe Thread::ConditionVariable do
  include OnLoop

  let(:mutex) { Mutex.new }
  let(:condition) { subject.new }

  it "lets the other fibers run while one waits for a signal of a thread" do
    done = false
    beside_turns do |_, turns|
      Thread.new { turns.await && mutex.synchronize { (done = true) && condition.signal } }
      mutex.synchronize { condition.wait(mutex) until done }
    end

    expect(done).to be == true
  end

  it "signals a thread that waits" do
    done = false
    thread = Thread.new { mutex.synchronize { condition.wait(mutex) until done } }
    Thread.pass until thread.stop?
    on_loop { mutex.synchronize { (done = true) && condition.signal } }

    expect(thread.join(OnLoop::LIMIT)).to be == thread
  end

  it "gives up after a time, with the mutex locked" do
    result = on_loop { mutex.synchronize { [condition.wait(mutex, 0.02), mutex.owned?] } }

    expect(result).to be == [nil, true]
    expect(mutex.synchronize { condition.wait(mutex, 0.02) }).to be_nil
  end

  it "wakes everyone by a broadcast" do
    woken = on_loop do |task|
      waiting = Array.new(5) { task.async { mutex.synchronize { condition.wait(mutex) } } }
      mutex.synchronize { condition.broadcast }
      waiting.map(&:wait).size
    end

    expect(woken).to be == 5
  end

  it "passes the signal of a cancelled fiber on" do
    on_loop do |task|
      first, second = Array.new(2) { task.async { mutex.synchronize { condition.wait(mutex) } } }
      mutex.synchronize { condition.signal }
      first.stop
      second.wait
    end

    expect(mutex).not.to be(:locked?)
  end

  it "holds the mutex when a cancelled fiber cleans up" do
    owned = nil
    on_loop do |task|
      waiter = task.async do
        mutex.synchronize do
          condition.wait(mutex)
        ensure
          owned = mutex.owned?
        end
      end
      waiter.stop
      waiter.wait
    end

    expect(owned).to be == true
    expect(mutex).not.to be(:locked?)
  end

  it "can be ended from outside as a thread's wait" do
    thread = Thread.new { raised(IOError) { mutex.synchronize { condition.wait(mutex) } } }
    Thread.pass until thread.stop?
    thread.raise(IOError)

    expect(thread.value).to be_a(IOError)
    expect(mutex).not.to be(:locked?)
  end
end
