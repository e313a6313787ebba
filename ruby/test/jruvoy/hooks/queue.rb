# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"

describe Thread::Queue do
  include OnLoop

  let(:queue) { subject.new }

  it "lets the other fibers run while one waits for a value" do
    value = beside_turns do |task, turns|
      task.async { turns.await && queue.push(:value) }
      queue.pop
    end

    expect(value).to be == :value
  end

  it "takes a value from another thread" do
    value = beside_turns do |_, turns|
      Thread.new { turns.await && queue.push(:value) }
      queue.shift
    end

    expect(value).to be == :value
  end

  it "gives up after a time" do
    value, count = beside_turns { |_, turns| [queue.pop(timeout: 0.05), turns.count] }

    expect(value).to be_nil
    expect(count).to be > 0
  end

  it "wakes those who wait when it is closed" do
    values = on_loop do |task|
      waiting = Array.new(3) { task.async { queue.pop } }
      queue.close
      waiting.map(&:wait)
    end

    expect(values).to be == [nil, nil, nil]
  end

  it "gives what is left after it was closed" do
    queue << 1 << 2
    queue.close

    expect(on_loop { [queue.pop, queue.pop, queue.pop] }).to be == [1, 2, nil]
    expect { queue << 3 }.to raise_exception(ClosedQueueError)
  end

  it "does not wait when it is told not to" do
    expect(on_loop { raised(ThreadError) { queue.pop(true) } }).to be_a(ThreadError)
    expect(on_loop { raised(ArgumentError) { queue.pop(true, timeout: 1) } }).to be_a(ArgumentError)
  end

  it "counts fibers and threads that wait" do
    thread = Thread.new { queue.pop }
    Thread.pass until thread.stop?
    waiting = on_loop do |task|
      task.async { queue.pop }
      count = queue.num_waiting
      queue << 1 << 2
      count
    end
    thread.join

    expect(waiting).to be == 2
  end

  it "passes the wake of a cancelled fiber on" do
    value = on_loop do |task|
      first = task.async { queue.pop }
      second = task.async { queue.pop }
      queue << :value
      first.stop
      second.wait
    end

    expect(value).to be == :value
  end

  it "belongs to threads as before" do
    shared = queue # Made once, before the threads race for it.
    thread = Thread.new { shared.pop }
    shared << :value

    expect(thread.value).to be == :value
    expect(queue.pop(timeout: 0.01)).to be_nil
  end

  it "is ours in subclasses too" do
    value = beside_turns do |task, turns|
      special = Class.new(subject).new
      task.async { turns.await && special.push(1) }
      special.deq
    end

    expect(value).to be == 1
  end
end
