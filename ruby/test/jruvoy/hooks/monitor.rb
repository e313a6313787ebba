# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"
require "monitor"

describe Monitor do
  include OnLoop

  let(:monitor) { subject.new }

  it "lets the other fibers run while one waits for it" do
    order = beside_turns do |task, turns|
      order = []
      holder = task.async { monitor.synchronize { monitor.synchronize { turns.await && order << 1 } } }
      monitor.synchronize { order << 2 }
      holder.wait
      order
    end

    expect(order).to be == [1, 2]
  end

  it "belongs to one fiber, as often as that enters" do
    on_loop do |task|
      monitor.enter
      monitor.enter
      other = task.async { [monitor.try_enter, monitor.mon_owned?, raised(ThreadError) { monitor.exit }] }.wait

      expect(other.first(2)).to be == [false, false]
      expect(other.last).to be_a(ThreadError)
      monitor.exit
      expect(monitor).to be(:mon_owned?)
      monitor.exit
      expect(monitor).not.to be(:mon_locked?)
    end
  end

  it "is left and entered again by the wait of its condition" do
    done = false
    condition = monitor.new_cond
    beside_turns do |_, turns|
      Thread.new { turns.await && monitor.synchronize { (done = true) && condition.signal } }
      monitor.synchronize { monitor.synchronize { condition.wait_until { done } } }
    end

    expect(done).to be == true
    expect(monitor).not.to be(:mon_locked?)
  end

  it "is in every object that includes MonitorMixin" do
    object = Object.new.extend(MonitorMixin)
    owned = beside_turns do |task, turns|
      task.async { object.synchronize { turns.await } }
      object.synchronize { object.mon_owned? }
    end

    expect(owned).to be == true
  end
end
