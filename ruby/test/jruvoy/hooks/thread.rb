# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"

describe Thread do
  include OnLoop

  it "lets the other fibers run while one waits for its end" do
    result = beside_turns { |_, turns| subject.new { turns.await && :result }.value }

    expect(result).to be == :result
  end

  it "raises its exception in the fiber that waits" do
    thread = subject.new { raise IOError, "from the thread" }
    thread.report_on_exception = false

    expect(on_loop { raised(IOError) { thread.join }.message }).to be == "from the thread"
  end

  it "is waited for a limited time" do
    thread = subject.new { sleep }

    expect(on_loop { thread.join(0.02) }).to be_nil
    expect(on_loop { thread.join(0) }).to be_nil
    thread.kill
    expect(on_loop { thread.join(OnLoop::LIMIT) }).to be == thread
  end

  it "can be waited for by several fibers, and after its end" do
    thread = subject.new { sleep(0.02) && 1 }
    sum = on_loop { |task| Array.new(5) { task.async { thread.value } }.map(&:wait).sum }

    expect(sum).to be == 5
    expect(on_loop { thread.value }).to be == 1
  end

  it "delivers an exception to a fiber through its scheduler" do
    error = on_loop do |task|
      waiter = task.async do
        me = subject.current
        subject.new { me.raise(IOError, "from outside") }
        raised(IOError) { sleep(OnLoop::LIMIT) }
      end
      waiter.wait
    end

    expect(error.message).to be == "from outside"
  end

  it "ends a fiber and not its loop when the fiber's thread is killed" do
    result = on_loop do |task|
      victim = nil
      waiter = task.async { (victim = subject.current) && sleep }
      subject.new { victim.kill }.join
      waiter.wait
      :alive
    end

    expect(result).to be == :alive
  end

  %i[wakeup run].each do |name|
    it "is got out of its sleep by #{name}" do
      ended = beside_turns do |task, turns|
        sleeping = [-> { sleep }, -> { subject.stop }, -> { sleep(OnLoop::LIMIT * 2) }].map do |wait|
          threads = subject::Queue.new
          sleeper = task.async { threads.push(subject.current) && wait.call && true }
          subject.new { turns.await && threads.pop.public_send(name) }
          sleeper
        end
        sleeping.each(&:wait).map(&:status)
      end

      expect(ended).to be == %i[completed completed completed]
    end
  end
end
