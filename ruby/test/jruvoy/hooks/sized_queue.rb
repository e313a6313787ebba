# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"

describe Thread::SizedQueue do
  include OnLoop

  let(:queue) { subject.new(1) }

  it "lets the other fibers run while one waits for room" do
    values = beside_turns do |task, turns|
      producer = task.async { 5.times { |i| queue << i } }
      values = Array.new(5) { turns.await && queue.pop }
      producer.wait
      values
    end

    expect(values).to be == [0, 1, 2, 3, 4]
  end

  it "gives up after a time" do
    queue << 1

    expect(on_loop { queue.push(2, timeout: 0.02) }).to be_nil
    expect(on_loop { queue.push(2, timeout: 0) }).to be_nil
    expect(queue.size).to be == 1
  end

  it "does not wait when it is told not to" do
    queue << 1

    expect(on_loop { raised(ThreadError) { queue.push(2, true) } }).to be_a(ThreadError)
    expect(on_loop { queue.pop(true) }).to be == 1
    expect(on_loop { raised(ThreadError) { queue.pop(true) } }).to be_a(ThreadError)
  end

  it "has room again after it was cleared or made larger" do
    queue << 1
    on_loop do |task|
      waiting = task.async { queue << 2 }
      queue.clear
      waiting.wait
      waiting = task.async { queue << 3 }
      queue.max = 2
      waiting.wait
    end

    expect(queue.size).to be == 2
  end

  it "wakes both sides when it is closed" do
    full = subject.new(1).push(1)
    errors = on_loop do |task|
      taker = task.async { queue.pop }
      giver = task.async { raised(ClosedQueueError) { full << 2 } }
      queue.close
      full.close
      [taker.wait, giver.wait]
    end

    expect(errors.first).to be_nil
    expect(errors.last).to be_a(ClosedQueueError)
  end

  it "works between threads and fibers in both directions" do
    # Not the lazy `queue`: thread and fiber could each make one of their own.
    there, back = Array.new(2) { subject.new(1) }
    thread = Thread.new { Array.new(100) { back.pop }.sum }
    feeder = Thread.new { 100.times { |i| there << i } }
    on_loop { 100.times { back << there.pop } }

    expect(thread.value).to be == 4950
    feeder.join
  end

  it "passes the wake of a cancelled fiber on" do
    queue << 1
    on_loop do |task|
      first = task.async { queue << 2 }
      second = task.async { queue << 3 }
      queue.pop
      first.stop
      second.wait
    end

    expect(queue.pop).to be == 3
  end
end
