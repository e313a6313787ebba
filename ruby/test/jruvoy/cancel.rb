# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"
require "monitor"
require "socket"
require "timeout"

# A fiber is got out of every wait, by the end of its task and by an exception; it cleans up,
# and its clean-up may wait too.
describe "cancel" do
  include OnLoop

  Cancelled = Class.new(StandardError)

  HELD = Mutex.new
  HELD_MONITOR = Monitor.new
  Thread.new { HELD.lock && HELD_MONITOR.enter || sleep }
  sleep(0.001) until HELD_MONITOR.mon_locked?

  # What is made for a wait and must not be collected before it is over.
  KEPT = []

  def self.pipe = IO.pipe.tap { |ends| KEPT << ends }.first

  def self.client
    server = TCPServer.new("127.0.0.1", 0)
    TCPSocket.new("127.0.0.1", server.addr[1]).tap { |socket| KEPT << server << socket }
  end

  WAITS = {
    "sleep for a time" => -> { sleep(300) },
    "sleep" => -> { sleep },
    "Queue#pop" => -> { Queue.new.pop },
    "Queue#pop for a time" => -> { Queue.new.pop(timeout: 300) },
    "SizedQueue#push" => -> { SizedQueue.new(1).push(1).push(2) },
    "Mutex#lock" => -> { HELD.lock },
    "Mutex#sleep" => -> { Mutex.new.tap(&:lock).sleep },
    "Monitor#enter" => -> { HELD_MONITOR.enter },
    "ConditionVariable#wait" => -> { ConditionVariable.new.wait(Mutex.new.tap(&:lock)) },
    "a monitor's condition" => -> { (monitor = Monitor.new).synchronize { monitor.new_cond.wait } },
    "Thread#join" => -> { Thread.new { sleep }.join },
    "Thread#value" => -> { Thread.new { sleep }.value },
    "read of a pipe" => -> { pipe.read(1) },
    "gets of a pipe" => -> { pipe.gets },
    "readpartial of a socket" => -> { client.readpartial(1) },
    "write to a full socket" => -> { client.write("x" * 50_000_000) },
    "accept" => -> { TCPServer.new("127.0.0.1", 0).accept },
    "wait_readable" => -> { pipe.wait_readable },
    "IO.select" => -> { IO.select([pipe]) },
    "sleep under Timeout" => -> { Timeout.timeout(300) { sleep } },
    "Queue#pop under Timeout" => -> { Timeout.timeout(300) { Queue.new.pop } },
    "Process.wait" => -> { Process.wait(spawn("sleep 100")) },
    "system" => -> { system("sleep 100") },
    "a backtick" => -> { `sleep 100` },
    "offloaded Java" => -> { Jruvoy::Offload.call { java.lang.Thread.sleep(100_000) } },
    "an enumerator" => -> { Enumerator.new { sleep }.next },
  }.freeze

  WAYS = {
    "the end of its task" => ->(task) { task.stop },
    "an exception" => ->(task) { Fiber.scheduler.raise(task.fiber, Cancelled) },
    "an exception of another thread" => lambda do |task|
      scheduler = Fiber.scheduler
      Thread.new { scheduler.fiber_interrupt(task.fiber, Cancelled.new) }
    end,
  }.freeze

  # @returns [Array] What happened to the waiting fiber, in order.
  def cancelled(wait, way)
    on_loop do |task|
      events = []
      waiter = task.async do
        wait.call
        events << :returned
      rescue Cancelled
        events << :raised
      ensure
        sleep(0.001)
        events << :cleaned
      end
      3.times { task.yield }
      way.call(waiter)
      waiter.wait
      events
    end
  end

  WAITS.each do |name, wait|
    WAYS.each do |by, way|
      it "ends #{name} by #{by}" do
        expect(cancelled(wait, way) - [:raised]).to be == [:cleaned]
      end
    end
  end
end
