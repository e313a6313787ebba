# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"
require "jruvoy/failures"

describe "Jruvoy.offload" do
  include OnLoop

  PoolLatch = java.util.concurrent.CountDownLatch

  it "lets the other fibers run while Java blocks" do
    result = beside_turns { |_, turns| Jruvoy.offload { turns.await && :done } }

    expect(result).to be == :done
  end

  it "raises what the block raises, also what Java calls checked" do
    on_loop do
      expect(raised(IOError) { Jruvoy.offload { raise IOError, "work" } }.message).to be == "work"
      expect { Jruvoy.offload { raise java.io.IOException.new("work") } }.to raise_exception(java.io.IOException)
      expect { Jruvoy.offload { throw :nobody } }.to raise_exception(UncaughtThrowError)
    end
  end

  it "runs in place where the caller may block" do
    expect(Jruvoy.offload { Thread.current }).to be == Thread.current
  end

  it "gives the block the fiber's storage and leaves nothing in the thread" do
    pool = Jruvoy::ThreadPool.new(1, "offload")
    on_loop do
      Fiber[:request] = 1
      seen = pool.run(nil) do
        Thread.current[:local] = 2
        Thread.current.thread_variable_set(:variable, 3)
        Thread.current.name = "changed"
        Mutex.new.lock
        Fiber[:request]
      end
      left = pool.run(nil) { [Thread.current.keys, Thread.current.thread_variables, Thread.current.name] }
      expect(seen).to be == 1
      expect(left).to be == [[], [], "offload"]
    end
  end

  with "a pool of one" do
    let(:pool) { Jruvoy::ThreadPool.new(1, "offload") }

    it "runs the calls in order" do
      on_loop do |task|
        order = []
        first = PoolLatch.new(1)
        tasks = Array.new(20) { |i| task.async { pool.run(nil) { first.await; order << i } } }
        first.count_down
        tasks.each(&:wait)
        expect(order).to be == (0...20).to_a
      end
    end

    it "never runs a call that is stopped while it waits" do
      on_loop do |task|
        first = PoolLatch.new(1)
        ran = []
        running = task.async { pool.run(nil) { first.await } }
        waiting = Array.new(3) { |i| task.async { pool.run(-> { ran << :called }) { ran << i } } }
        waiting[1].stop
        first.count_down
        [running, waiting[0], waiting[2]].each(&:wait)
        expect(ran).to be == [0, 2]
      end
    end

    it "goes on after a block that ends its thread" do
      on_loop do
        pool.run(nil) { Thread.exit }
        pool.run(nil) { Thread.current.then { |own| Thread.new { own.kill } } && sleep }
        expect(pool.run(nil) { :done }).to be == :done
      end
    end

    it "leaks no interrupt into the next call" do
      on_loop do |task|
        clean = 0
        2_000.times do |round|
          waiter = task.async do
            pool.run(round.odd? ? -> {} : nil) { (round % 7).times { Thread.pass } }
          end
          round.modulo(3).times { task.yield }
          waiter.stop
          result = pool.run(nil) { [java.lang.Thread.interrupted, Queue.new.pop(timeout: 0), sleep(0)] }
          clean += 1 if result == [false, nil, 0]
        end
        expect(clean).to be == 2_000
      end
    end
  end

  it "serves many fibers at once" do
    on_loop do |task|
      sum = Array.new(200) { |i| task.async { Jruvoy.offload { java.lang.Thread.sleep(i % 3) || i } } }.sum(&:wait)
      expect(sum).to be == 199 * 100
    end
  end
end
