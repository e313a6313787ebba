# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"
require "socket"

describe BasicSocket, unique: "receive" do
  include OnLoop

  # The two ends of a connection to a server of this machine.
  def self.connected
    server = TCPServer.new("127.0.0.1", 0)
    near = yield server.addr[1]
    [near, server.accept].tap { server.close }
  end

  PAIRS = {
    "UNIXSocket" => -> { UNIXSocket.pair },
    "Socket of a pair" => -> { Socket.pair(:UNIX, :STREAM) },
    "TCPSocket" => -> { connected { |port| TCPSocket.new("127.0.0.1", port) } },
    "Socket of TCP" => -> { connected { |port| Socket.tcp("127.0.0.1", port) } },
    "UDPSocket" => lambda do
      near, far = Array.new(2) { UDPSocket.new.tap { |socket| socket.bind("127.0.0.1", 0) } }
      far.connect("127.0.0.1", near.addr[1])
      [near, far]
    end,
    "Socket of UDP" => lambda do
      near, far = Array.new(2) { Socket.new(:INET, :DGRAM).tap { |one| one.bind(Addrinfo.udp("127.0.0.1", 0)) } }
      far.connect(near.local_address)
      [near, far]
    end
  }.freeze

  # What CRuby names as the sender of what the far end sends.
  SENDERS = {
    "UNIXSocket" => ->(_) { ["AF_UNIX", ""] },
    "TCPSocket" => ->(_) {},
    "UDPSocket" => ->(far) { ["AF_INET", far.addr[1], "127.0.0.1", "127.0.0.1"] }
  }.freeze

  PAIRS.each do |kind, pair|
    {"recv" => ->(io) { io.recv(5) }, "recvfrom" => ->(io) { io.recvfrom(5).first }}.each do |name, operation|
      it "lets the other fibers run while one waits in #{name} of #{kind}", unique: "#{name} #{kind}" do
        near, far = pair.call
        found = beside_turns do |task, turns|
          readers = Array.new(2) { task.async { operation.call(near) } }
          2.times { |i| task.async { turns.await(3 + 3 * i) && far.write("hello") } }
          readers.map(&:wait)
        end

        expect(found).to be == %w[hello hello]
      ensure
        [near, far].each(&:close)
      end
    end

    it "knows flags, buffers and senders of #{kind}", unique: "flags #{kind}" do
      near, far = pair.call
      buffer = +"before"
      far.write("hello")
      found = on_loop do
        looks = [near.recv(2, Socket::MSG_PEEK), near.recvfrom(2, Socket::MSG_PEEK).first]
        looks << near.recv(5, 0, buffer).equal?(buffer)
      end
      far.write("x")
      sender = on_loop { near.recvfrom(5).last }

      expect(found).to be == ["he", "he", true]
      expect([buffer, buffer.encoding]).to be == ["hello", Encoding::UTF_8]
      expect(sender).to be == SENDERS[kind].call(far) if SENDERS.key?(kind)
      expect(sender.ip_port).to be == far.local_address.ip_port if kind =~ /of (TCP|UDP)/
    ensure
      [near, far].each(&:close)
    end

    next if kind.include?("UDP")

    it "sees the end of #{kind}", unique: "end #{kind}" do
      near, far = pair.call
      far.write("x")
      far.close

      expect(on_loop { [near.recv(0), near.recv(2), near.recv(1), near.recvfrom(1)] }).to be == [nil, "x", nil, nil]
    end

    it "takes nothing of #{kind} when Ruby has read ahead", unique: "ahead #{kind}" do
      near, far = pair.call
      far.write("one\ntwo")
      messages = on_loop do
        near.gets
        [-> { near.recv(3) }, -> { near.recvfrom(3) }].map { |receive| raised(IOError, &receive).message }
      end

      expect(messages).to be == ["recv for buffered IO"] * 2
      expect(near.read(3)).to be == "two"
    end
  end

  it "tells an empty datagram from an end" do
    near, far = Array.new(2) { UDPSocket.new }
    near.bind("127.0.0.1", 0)
    ["", "", "x"].each { |text| far.send(text, 0, "127.0.0.1", near.addr[1]) }

    expect(on_loop { [near.recv(1), near.recvfrom(1).first, near.recv(1)] }).to be == ["", "", "x"]
  end

  it "leaves everything to others when it is cancelled, out of time or closed" do
    near, far = UNIXSocket.pair
    errors = on_loop do |task|
      waiting = Array.new(2) { task.async { raised(IOError) { near.recv(1) } } }
      waiting.first.stop
      out = raised(Async::TimeoutError) { task.with_timeout(0.01) { near.recv(1) } }
      near.timeout = 0.01
      slow = raised(IO::TimeoutError) { near.recv(1) }
      near.timeout = nil
      far.write("x")
      receiving = waiting.last.wait
      late = task.async { raised(IOError) { near.recv(1) } }
      near.close
      [out, slow, receiving, late.wait, raised(IOError) { near.recv(1) }]
    end

    expect(errors.map(&:class)).to be == [Async::TimeoutError, IO::TimeoutError, NilClass, IOError, IOError]
  end

  it "refuses what CRuby refuses" do
    near, far = UNIXSocket.pair
    far.write("x")
    errors = on_loop do
      [-> { near.recv(-1) }, -> { near.recv("1") }, -> { near.recv(1, 0, "frozen".freeze) }].map do |receive|
        raised(StandardError, &receive).class
      end
    end

    expect(errors).to be == [ArgumentError, TypeError, FrozenError]
    expect(on_loop { near.recv(1, nil) }).to be == "x"
  end
end
