# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"
require "jruvoy/request_task"

describe Jruvoy::RequestTask do
  include OnLoop

  # Run the block as a request's task and wait for it.
  def request(&block) = subject.run(Fiber.scheduler, &block).tap(&:wait)

  it "stops the children that are left, and theirs" do
    ended = []
    left = on_loop do
      left = nil
      request do |task|
        task.async do |child|
          child.async { sleep }.wait
        ensure
          ended << :child
        end
        left = [task.leave, task.children?]
      end
      left
    end

    expect(left).to be == [1, false]
    expect(ended).to be == [:child]
  end

  it "gives transient children to the scheduler" do
    alive = on_loop do
      shared = nil
      request do |task|
        shared = task.async(transient: true) { sleep }
        task.leave
      end
      [shared.alive?, shared.parent.equal?(Fiber.scheduler)].tap { shared.stop }
    end

    expect(alive).to be == [true, true]
  end
end

describe Jruvoy::Scheduler do
  include OnLoop

  # Run the block as a task of a server's scheduler, in a thread of its own.
  def served(&block)
    Thread.new do
      scheduler = subject.new(Jruvoy::Selector.new(Fiber.current))
      scheduler.run(&block).wait
    ensure
      scheduler&.close
    end.value
  end

  # Collect what is logged meanwhile. A mock acts in its own thread only.
  def logging(lines)
    original = Jruvoy::Log.method(:error)
    Jruvoy::Log.define_singleton_method(:error) { |what, error| lines << "#{error.class} #{what}" }
    yield
  ensure
    Jruvoy::Log.define_singleton_method(:error, original)
  end

  it "goes on when a task ends by an exception that ends Async's loop" do
    lines = []
    result = logging(lines) do
      served do |task|
        task.async { sleep(0.001) && raise(NotImplementedError) }
        task.async { sleep(0.002) && exit(3) }
        sleep(0.02)
        :alive
      end
    end

    expect(result).to be == :alive
    expect(lines.sort).to be == ["NotImplementedError a task of the app", "SystemExit a task of the app"]
  end

  it "goes on when a task ends by Thread.exit" do
    status = served { |task| task.async { sleep(0.001) && Thread.exit }.tap(&:wait).status }

    expect(status).to be == :cancelled
  end

  it "stays the scheduler of its thread" do
    error = served { raised(ThreadError) { Fiber.set_scheduler(nil) } }

    expect(error.message).to be(:include?, "belongs to the server")
  end
end
