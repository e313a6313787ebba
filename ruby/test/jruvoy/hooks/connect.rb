# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"
require "socket"
require "tmpdir"

describe TCPSocket do
  include OnLoop

  let(:server) { TCPServer.new("127.0.0.1", 0) }
  let(:port) { server.addr[1] }

  # A port whose connections are neither refused nor taken.
  let(:full_port) do
    @full = ServerSocket.new(:INET, :STREAM, 0)
    @full.bind(Addrinfo.tcp("127.0.0.1", 0), 1)
    address = @full.local_address
    @waiting = Array.new(4) { Socket.new(:INET, :STREAM).tap { |one| one.connect_nonblock(address, exception: false) } }
    address.ip_port
  end

  def greet(task, from = server)
    task.async { from.accept.then { |connection| connection.write("hi") && connection.close } }
  end

  it "connects, and runs a block with the socket" do
    kept = nil
    text = on_loop do |task|
      greet(task)
      subject.open("127.0.0.1", port) { |socket| (kept = socket).read }
    end

    expect(text).to be == "hi"
    expect(kept).to be_a(TCPSocket)
    expect(kept).to be(:closed?)
  end

  it "needs no thread where the host is an address" do
    mock(Jruvoy::Offload) { |offload| offload.replace(:call) { raise "a thread" } }
    text = on_loop do |task|
      greet(task)
      subject.new("127.0.0.1", port, "127.0.0.1").then { |socket| [socket.read, socket.close].first }
    end

    expect(text).to be == "hi"
  end

  it "finds a host by its name, and without one this one" do
    texts = on_loop do |task|
      ["localhost", nil].map do |host|
        greet(task)
        subject.new(host, port).read
      end
    end

    expect(texts).to be == %w[hi hi]
  end

  it "raises what connecting raises" do
    error = on_loop { raised(Errno::ECONNREFUSED) { subject.new("127.0.0.1", 1) } }

    expect(error.message).to be(:include?, '"127.0.0.1" port 1')
    expect(on_loop { raised(SocketError) { subject.new("no-such-host.invalid", 1) } }).to be_a(SocketError)
  end

  it "lets the other fibers run while nobody answers, and gives up after a time" do
    place = full_port
    errors = beside_turns do |_, turns|
      %i[connect_timeout open_timeout].map do |limit|
        raised(IO::TimeoutError) { subject.new("127.0.0.1", place, limit => 0.05) }.tap { turns.await }
      end
    end

    expect(errors.map(&:class)).to be == [IO::TimeoutError, IO::TimeoutError]
  end

  it "closes what a cancel interrupts" do
    place = full_port
    before = Dir.children("/proc/self/fd").size
    on_loop do |task|
      waiter = task.async { subject.new("127.0.0.1", place) }
      3.times { task.yield }
      waiter.stop
    end

    expect(Dir.children("/proc/self/fd").size).to be <= before
  end

  it "goes on to the next address of a host" do
    addresses = [Addrinfo.tcp("::1", port), Addrinfo.tcp("127.0.0.1", 1), Addrinfo.tcp("127.0.0.1", port)]
    text = on_loop do |task|
      greet(task)
      Jruvoy::Hooks::Connect.first_of(addresses, [], nil).read
    end

    expect(text).to be == "hi"
    refused = on_loop { raised(SystemCallError) { Jruvoy::Hooks::Connect.first_of(addresses.first(2), [], nil) } }
    expect(refused).to be_a(Errno::ECONNREFUSED)
  end

  it "leaves classes with an initialize of their own to that" do
    named = Class.new(subject) do
      def initialize(port) = super("127.0.0.1", port)
    end
    text = on_loop do |task|
      greet(task)
      named.new(port).read
    end

    expect(text).to be == "hi"
  end

  it "waits for a plain socket's connection" do
    text = on_loop do |task|
      greet(task)
      socket = Socket.new(:INET, :STREAM)
      [socket.connect(Addrinfo.tcp("127.0.0.1", port)), socket.read]
    end

    expect(text).to be == [0, "hi"]
    refused = raised(Errno::ECONNREFUSED) { on_loop { Socket.new(:INET, :STREAM).connect(Addrinfo.tcp("127.0.0.1", 1)) } }
    expect(refused).to be_a(Errno::ECONNREFUSED)
  end

  it "connects by Socket.tcp, and runs its block in the fiber" do
    text, same = on_loop do |task|
      greet(task)
      here = Fiber.current
      Socket.tcp("localhost", port) { |socket| [socket.read, Fiber.current == here] }
    end

    expect([text, same]).to be == ["hi", true]
  end

  it "connects to paths" do
    Dir.mktmpdir do |folder|
      path = File.join(folder, "s")
      local = UNIXServer.new(path)
      texts = on_loop do |task|
        [-> { UNIXSocket.new(path) }, -> { Socket.unix(path) }].map do |connect|
          greet(task, local)
          connect.call.read
        end
      end

      expect(texts).to be == %w[hi hi]
      expect(raised(Errno::ENOENT) { on_loop { UNIXSocket.new("#{path}.none") } }).to be_a(Errno::ENOENT)
    end
  end
end
