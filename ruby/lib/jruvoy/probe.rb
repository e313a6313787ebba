# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "monitor"
require "socket"
require "timeout"
require_relative "recorder"

module Jruvoy
  # Finds out which operations of this Ruby reach the fiber scheduler instead of blocking
  # the thread: each is tried once in a fiber, under a scheduler that only takes note. One
  # that does not reach the scheduler takes as long as the limit says.
  class Probe
    # Name and code of every operation. Each gets the probe, for what it leaves to clean up.
    OPERATIONS = {
      accept: ->(probe) { probe.accept },
      condition_variable: ->(probe) { probe.wait_for_signal },
      connect: ->(_) { TCPSocket.new("localhost", 1).close },
      copy_stream: ->(probe) { probe.feed { |socket| IO.copy_stream(socket, File::NULL) } },
      io_close: ->(probe) { probe.close_awaited },
      monitor: ->(probe) { probe.monitor.synchronize {} },
      mutex: ->(probe) { probe.mutex.synchronize {} },
      pass_io: ->(probe) { probe.feed { |socket| socket.recv_io.close } },
      process: ->(_) { Process.wait },
      queue: ->(probe) { Queue.new.pop(timeout: probe.limit) },
      read: ->(probe) { probe.read },
      receive: ->(probe) { probe.feed { |socket| socket.recv(1) } },
      resolve: ->(_) { Addrinfo.getaddrinfo("localhost", 80) },
      select: ->(probe) { IO.select([probe.pipe.first], nil, nil, probe.limit) },
      sized_queue: ->(probe) { SizedQueue.new(1).push(1).push(2, timeout: probe.limit) },
      sleep: ->(probe) { sleep(probe.limit) },
      sysread: ->(probe) { probe.feed { |socket| socket.sysread(1) } },
      thread: ->(probe) { probe.thread.join(probe.limit) },
      timeout: ->(_) { Timeout.timeout(1) {} },
    }.freeze

    # Try operations.
    # @parameter names [Array(Symbol)] Which.
    # @parameter limit [Float] Seconds that an operation may block; a pause of the process
    #   that is longer than this makes it look as if it did.
    # @returns [Array(Symbol)] Those that reach the scheduler.
    def self.reaching(names, limit: 0.001)
      # The calling thread keeps its own scheduler, if it has one.
      return Thread.new { reaching(names, limit: limit) }.value if Fiber.scheduler

      probe = new(limit)
      begin
        names.select { |name| probe.reaches?(name) }
      ensure
        probe.close
      end
    end

    # @parameter limit [Float] Seconds that an operation may block.
    def initialize(limit)
      @limit = limit
    end

    # @returns [Float]
    attr_reader :limit

    # A lock that the thread's root fiber holds.
    # @returns [Mutex]
    def mutex = @mutex ||= Mutex.new.tap(&:lock)

    # As mutex.
    # @returns [Monitor]
    def monitor = @monitor ||= Monitor.new.tap(&:enter)

    # A thread that is alive.
    # @returns [Thread]
    def thread = @thread ||= Thread.new { sleep }

    # A pipe that nobody writes to.
    # @returns [Array(IO)]
    def pipe = @pipe ||= IO.pipe

    # A server that nobody knows. Making one may reach the scheduler, too.
    # @returns [TCPServer]
    def server = @server ||= TCPServer.new("127.0.0.1", 0)

    # Wait for a client, which comes soon.
    def accept
      port = server.local_address.ip_port
      @client = Thread.new do
        sleep(limit)
        TCPSocket.new("127.0.0.1", port).close
      rescue SystemCallError
        nil # The probe is over.
      end
      @server.accept.close
    end

    # Wait for a signal that nobody sends.
    def wait_for_signal
      lock = Mutex.new
      lock.synchronize { ConditionVariable.new.wait(lock, limit) }
    end

    # Read from a pipe that has a byte.
    def read
      pipe.last.write("x")
      pipe.first.readpartial(1)
    end

    # Give the block a socket that something comes to soon, and then the end. Who reaches the scheduler only then has
    # waited without it, as JRuby's sysread does.
    def feed
      socket, peer = UNIXSocket.pair
      fed = false
      feeding = Thread.new { sleep(limit) && (fed = true) && (peer.send_io(peer) || peer.close) }
      feeding.report_on_exception = false
      yield socket
    rescue Reached
      raise unless fed
    ensure
      feeding&.kill
      [socket, peer].each(&:close)
    end

    # Close what another fiber waits for.
    def close_awaited
      reader, writer = IO.pipe
      waiting = Fiber.new do
        reader.wait_readable
      rescue IOError
        nil # It is closed.
      end
      waiting.resume
      reader.close
    ensure
      writer.close
      waiting.resume
    end

    # Whether an operation reaches the scheduler.
    # @parameter name [Symbol] One of OPERATIONS.
    # @returns [Boolean]
    def reaches?(name)
      operation = OPERATIONS.fetch(name)
      prepare(name)
      reached = false
      Fiber.set_scheduler((name == :io_close ? Parking : Recorder).new)
      Fiber.new do
        operation.call(self)
      rescue Reached
        reached = true
      rescue StandardError, ScriptError
        nil # What an operation does to end without having waited.
      end.resume
      reached
    ensure
      Fiber.set_scheduler(nil)
    end

    # Give back what the operations left.
    def close
      @mutex&.unlock
      @monitor&.exit
      @thread&.kill
      @client&.kill&.join
      @server&.close
      @pipe&.each(&:close)
    end

    private

    # What must be made before the fiber runs: locks that the root fiber holds, and what is not to be tried itself.
    def prepare(name)
      public_send(name) if %i[monitor mutex thread].include?(name)
      pipe if %i[read select].include?(name)
      server if name == :accept
    end
  end
end
