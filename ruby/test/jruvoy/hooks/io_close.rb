# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"
require "socket"

describe IO do
  include OnLoop

  def closed_while_read(reader)
    on_loop do |task|
      waiter = task.async { raised(IOError) { reader.read(1) } }
      reader.close
      waiter.wait
    end
  end

  it "ends the reads of a pipe that is closed" do
    reader, writer = IO.pipe

    expect(closed_while_read(reader)&.message).to be == "stream closed in another thread"
  ensure
    writer&.close
  end

  it "ends the reads of a socket that is closed" do
    reader, writer = UNIXSocket.pair

    expect(closed_while_read(reader)).to be_a(IOError)
  ensure
    writer&.close
  end

  # Ways to wait for an end of a pair of sockets, whose other end says nothing and takes nothing.
  WAITS = {
    "read" => ->(io) { io.read(1) },
    "gets" => ->(io) { io.gets },
    "readpartial" => ->(io) { io.readpartial(1) },
    "getc" => ->(io) { io.getc },
    "wait_readable" => ->(io) { io.wait_readable },
    "write" => ->(io) { io.write("x" * 5_000_000) },
    "syswrite" => ->(io) { loop { io.syswrite("x" * 50_000) } },
    "select" => ->(io) { IO.select([io]) }
  }.freeze

  WAITS.each do |name, wait|
    it "ends a #{name} of one fiber when another one closes" do
      near, far = UNIXSocket.pair
      errors = on_loop do |task|
        waiters = Array.new(2) { task.async { raised(IOError) { wait.call(near) } } }
        task.yield
        near.close
        waiters.map(&:wait)
      end

      expect(errors.map(&:class)).to be == [IOError, IOError]
      expect(near).to be(:closed?)
    ensure
      far&.close
    end
  end

  it "ends the wait for a client" do
    server = TCPServer.new("127.0.0.1", 0)
    error = on_loop do |task|
      waiter = task.async { raised(IOError) { server.accept } }
      server.close
      waiter.wait
    end

    expect(error).to be_a(IOError)
  end

  it "waits for the command of a pipe while other fibers run" do
    status, count = beside_turns do |_, turns|
      command = IO.popen("exec >&-; sleep 0.1; exit 3")
      command.close
      [[$?.exitstatus, command.closed?], turns.count]
    end

    expect(status).to be == [3, true]
    expect(count).to be > 0
  end

  it "gives the status of a command after its block" do
    statuses = on_loop do |task|
      Array.new(3) do |i|
        task.async { IO.popen("sleep 0.0#{3 - i}; exit #{i}", &:read).then { $?.exitstatus } }
      end.map(&:wait)
    end

    expect(statuses).to be == [0, 1, 2]
  end

  it "ends the reads of a loop when another thread closes" do
    reader, writer = IO.pipe
    error = on_loop do |task|
      waiter = task.async { raised(IOError) { reader.read(1) } }
      Thread.new { sleep(0.03) && reader.close }
      waiter.wait
    end

    expect(error).to be_a(IOError)
  ensure
    writer&.close
  end
end
