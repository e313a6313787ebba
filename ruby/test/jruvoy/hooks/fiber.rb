# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"

describe Fiber do
  include OnLoop

  it "can wait again after an exception" do
    events = on_loop do |task|
      events = []
      waiter = task.async do
        raised(IOError) { sleep }
        sleep(0.01)
        events << :waited
      ensure
        sleep(0.01)
        events << :cleaned
      end
      Fiber.scheduler.raise(waiter.fiber, IOError)
      waiter.wait
      events
    end

    expect(events).to be == %i[waited cleaned]
  end

  it "raises the exception where the fiber waits" do
    error = on_loop do |task|
      waiter = task.async { raised(IOError) { wait_here } }
      Fiber.scheduler.raise(waiter.fiber, IOError, "why")
      waiter.wait
    end

    expect(error.message).to be == "why"
    expect(error.backtrace.join).to be(:include?, "wait_here")
  end

  def wait_here = sleep

  it "reaches a fiber inside an enumerator" do
    error = on_loop do |task|
      waiter = task.async do
        raised(IOError) { Enumerator.new { |list| sleep && list << 1 }.next }
      end
      Fiber.scheduler.raise(waiter.fiber, IOError)
      waiter.wait
    end

    expect(error).to be_a(IOError)
  end

  it "lets an enumerator sleep between two values" do
    values = on_loop do
      list = Enumerator.new { |out| 3.times { |i| sleep(0.005) && out << i } }
      [list.next, list.next, list.next]
    end

    expect(values).to be == [0, 1, 2]
  end

  it "refuses a fiber that has ended" do
    fiber = subject.new {}
    fiber.resume

    expect { fiber.transfer }.to raise_exception(FiberError)
    expect { fiber.raise(IOError) }.to raise_exception(FiberError)
  end

  it "is not ended by those that were left half-way and are collected" do
    served = on_loop do |task|
      Array.new(10) do |i|
        task.async do
          10.times { [[1, 2].each, Enumerator.new { |out| sleep(0) && (out << 1 << 2) }].each(&:next) }
        end.wait
        task.async { subject.new { subject.yield }.resume }.wait
        java.lang.System.gc
        task.async { 5.times { sleep(0.002) } }.wait
        i
      end
    end

    expect(served).to be == (0..9).to_a
  end

  it "goes on when something is raised in the loop's own thread" do
    result = Jruvoy::Scheduler.new(Jruvoy::Selector.new(subject.current)).then do |scheduler|
      main = Thread.current
      scheduler.run { (Thread.new { main.raise(IOError, "not yours") }.join) && sleep(0.01) && :alive }.wait
    ensure
      scheduler.close
    end

    expect(result).to be == :alive
  end
end
