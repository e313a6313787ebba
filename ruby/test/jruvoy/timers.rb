# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"

describe Jruvoy::Timers do
  let(:timers) { subject.new }
  let(:fired) { [] }

  def at(time, name = time) = timers.schedule(time.to_f, proc { fired << name })

  it "fires what is due, in the order of time and then of making" do
    [3, 1, 2].each { |time| at(time) }
    at(2, :second)
    at(timers.now + 60, :later)
    timers.fire
    expect(fired).to be == [1, 2, :second, 3]
    expect(timers.size).to be == 1
  end

  it "tells how long until the next one" do
    expect(timers.wait_interval).to be_nil
    at(timers.now + 60)
    expect(timers.wait_interval).to be_within(5).of(60)
    at(1)
    expect(timers.wait_interval).to be < 0
  end

  it "fires once" do
    timers.after(0) { fired << :once }
    2.times { timers.fire }
    expect(fired).to be == [:once]
  end

  it "never fires what was cancelled, before or after the loop has asked" do
    early = at(1)
    early.cancel!
    late = at(2)
    timers.wait_interval
    late.cancel!
    expect(timers.size).to be == 0
    timers.fire
    expect(fired).to be(:empty?)
    expect([early, late].all?(&:cancelled?)).to be == true
  end

  it "lets one cancel another that is due" do
    second = nil
    timers.schedule(1.0, proc { second.cancel! })
    second = at(2)
    timers.fire
    expect(fired).to be(:empty?)
  end

  it "lets what is added while it fires wait for the next turn" do
    timers.schedule(1.0, proc { at(2) })
    timers.fire
    expect(fired).to be(:empty?)
    timers.fire
    expect(fired).to be == [2]
  end

  it "goes on after a block that raises" do
    timers.schedule(1.0, proc { raise "broken" })
    at(2)
    expect { timers.fire }.to raise_exception(RuntimeError)
    timers.fire
    expect(fired).to be == [2]
  end

  it "counts right when most are cancelled in the queue" do
    kept = at(timers.now + 60)
    1_000.times do
      ended = timers.after(30) { fired << :ended }
      timers.wait_interval
      ended.cancel!
    end
    expect(timers.size).to be == 1
    expect(timers.wait_interval).to be > 30
    kept.cancel!
    expect(timers.wait_interval).to be_nil
  end

  it "refuses a time that never comes" do
    expect { timers.after(Float::INFINITY) { nil } }.to raise_exception(ArgumentError)
    expect { timers.schedule(Float::NAN, proc {}) }.to raise_exception(ArgumentError)
  end

  it "has timers that say what they are" do
    block = proc {}
    timer = timers.schedule(5.0, block)
    expect(timer.time).to be_within(0).of(5)
    expect(timer.block).to be_equal(block)
    timer.cancel!
    expect(timer.block).to be_nil
  end
end
