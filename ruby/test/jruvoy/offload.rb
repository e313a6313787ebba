# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"

describe Jruvoy::Offload do
  include OnLoop

  it "lets the other fibers run while Java blocks" do
    result = beside_turns do |_, turns|
      subject.call { turns.await && :done }
    end

    expect(result).to be == :done
  end

  it "raises what the work raises" do
    error = on_loop { raised(IOError) { subject.call { raise IOError, "work" } } }

    expect(error.message).to be == "work"
  end

  it "runs on the caller's thread when that may block" do
    expect(subject.call { Thread.current }).to be == Thread.current
  end

  it "gives a result that comes after a cancel to be discarded" do
    discarded = Thread::Queue.new
    on_loop do |task|
      go = java.util.concurrent.CountDownLatch.new(1)
      waiter = task.async { subject.call(discard: discarded.method(:push)) { go.await || :late } }
      waiter.stop
      go.count_down
      expect(discarded.pop(timeout: OnLoop::LIMIT)).to be == :late
    end
  end
end
