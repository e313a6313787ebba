# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"
require "jruvoy/failures"

describe "Jruvoy.offload, cancelled," do
  include OnLoop

  Latch = java.util.concurrent.CountDownLatch
  Interrupted = java.lang.InterruptedException

  def self.channel
    pipe = java.nio.channels.Pipe.open
    pipe.source.read(java.nio.ByteBuffer.allocate(1))
  end

  def self.held
    Mutex.new.tap do |mutex|
      Thread.new { mutex.lock && sleep }
      sleep(0.001) until mutex.locked?
    end
  end

  def self.socket
    server = java.net.ServerSocket.new(0)
    java.net.Socket.new("127.0.0.1", server.local_port)
  end

  WAITS = {
    "Thread.sleep" => -> { java.lang.Thread.sleep(300_000) },
    "BlockingQueue.take" => -> { java.util.concurrent.LinkedBlockingQueue.new.take },
    "sleep" => -> { sleep },
    "Queue#pop" => -> { Queue.new.pop },
    "Mutex#lock" => -> { held.lock },
    "read of a pipe" => -> { IO.pipe.first.read(1) },
    "Thread#join" => -> { Thread.new { sleep }.join },
    "an event loop" => -> { Sync { sleep } },
  }.freeze

  # Java leaves the flag up where it ends these: nobody has been told, as Java sees it.
  FLAGGED = {
    "LockSupport.park" => -> { java.util.concurrent.locks.LockSupport.park },
    "a channel" => -> { channel },
  }.freeze

  # Start the block, stop it when it has begun.
  # @returns [Array] What happened, in order.
  def stopped(task, on_cancel: nil)
    events = []
    began = Latch.new(1)
    waiter = task.async do
      Jruvoy.offload(on_cancel: on_cancel) do
        began.count_down
        yield events
      ensure
        events << :ended
        sleep(0.001)
        events << :cleaned
      end
    ensure
      events << :gone
    end
    sleep(0.001) until began.count.zero?
    sleep(0.005)
    waiter.stop
    waiter.wait
    events
  end

  WAITS.each do |name, wait|
    it "ends #{name} when its fiber is stopped, and lets it clean up" do
      on_loop do |task|
        expect(stopped(task) { wait.call }).to be == %i[ended cleaned gone]
      end
    end
  end

  FLAGGED.each do |name, wait|
    it "ends #{name} when its fiber is stopped, and then the next wait of Ruby" do
      on_loop do |task|
        expect(stopped(task) { wait.call }).to be == %i[ended gone]
      end
    end
  end

  it "calls on_cancel, on another thread, and raises Cancelled for whatever that did to the block" do
    on_loop do |task|
      socket = self.class.socket
      error = nil
      events = stopped(task) do
        Jruvoy.offload(on_cancel: -> { socket.close }) { socket.input_stream.read }
      rescue Jruvoy::Cancelled => error
        raise
      end
      expect(events).to be == %i[ended cleaned gone]
      expect(error).not.to be_nil
      expect(socket).to be(:closed?)
    end
  end

  it "does not go on before work that ignores interrupts has ended" do
    on_loop do |task|
      go = Latch.new(1)
      helper = nil
      events = stopped(task, on_cancel: -> { helper = Thread.new { sleep(0.05) && go.count_down } }) do |seen|
        begin
          go.await
        rescue Interrupted
          seen << :ignored
          retry
        end
        seen << :finished
      end
      expect(events).to be == %i[ignored finished ended cleaned gone]
      helper.join
    end
  end

  it "raises the fiber's own exception, not the block's" do
    on_loop do |task|
      error = raised(Async::TimeoutError) do
        task.with_timeout(0.02) { Jruvoy.offload { java.lang.Thread.sleep(300_000) } }
      end
      expect(error).not.to be_nil
    end
  end

  it "raises Cancelled once in a block that may wait on its way out" do
    on_loop do |task|
      events = stopped(task) do |seen|
        sleep
      rescue Jruvoy::Cancelled
        seen << :cancelled
        Queue.new.pop(timeout: 0.01)
        java.lang.Thread.sleep(10)
        seen << :waited
      end
      expect(events).to be == %i[cancelled waited ended cleaned gone]
    end
  end

  it "raises nothing more when Java was interrupted" do
    on_loop do |task|
      events = stopped(task) do |seen|
        java.lang.Thread.sleep(300_000)
      rescue Interrupted
        seen << :interrupted
        1_000.times { Thread.pass }
        Queue.new.pop(timeout: 0.01)
        seen << :waited
      end
      expect(events).to be == %i[interrupted waited ended cleaned gone]
    end
  end

  it "interrupts a block that computes where it waits next, not before" do
    on_loop do |task|
      busy = java.util.concurrent.atomic.AtomicBoolean.new(true)
      events = stopped(task, on_cancel: -> { Thread.new { sleep(0.02) && busy.set(false) } }) do |seen|
        Thread.pass while busy.get
        seen << :computed
        Queue.new.pop
      end
      expect(events).to be == %i[computed ended cleaned gone]
    end
  end

  it "stops nested calls from the inside" do
    on_loop do |task|
      calls = Thread::Queue.new
      events = stopped(task, on_cancel: -> { calls << :outer }) do |seen|
        Jruvoy.offload(on_cancel: -> { calls << :inner }) { java.lang.Thread.sleep(300_000) }
      rescue Jruvoy::Cancelled
        seen << :cancelled
        Jruvoy.offload(on_cancel: -> { calls << :late }) { java.lang.Thread.sleep(1) }
        raise
      end
      expect(events).to be == %i[cancelled ended cleaned gone]
      expect([calls.shift, calls.shift, calls.size]).to be == [:inner, :outer, 0]
    end
  end
end
