# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"
require "socket"

describe Addrinfo do
  include OnLoop

  # Count the helper threads that the block needs.
  def helping(helpers)
    original = Jruvoy::Offload.method(:call)
    Jruvoy::Offload.define_singleton_method(:call) do |discard: nil, &work|
      helpers.increment_and_get
      original.call(discard: discard, &work)
    end
    yield
  ensure
    Jruvoy::Offload.define_singleton_method(:call, original)
  end

  it "finds a name on a helper thread" do
    found = on_loop { subject.getaddrinfo("localhost", 80, nil, :STREAM) }

    expect(found.map(&:ip_port).uniq).to be == [80]
    expect(on_loop { Socket.getaddrinfo("localhost", 80) }).not.to be(:empty?)
    expect(on_loop { IPSocket.getaddress("127.0.0.1") }).to be == "127.0.0.1"
  end

  it "raises that there is no such name" do
    errors = on_loop do
      [raised(SocketError) { subject.getaddrinfo("no-such-host.invalid", 80) },
       raised(SocketError) { IPSocket.getaddress("no-such-host.invalid") }]
    end

    errors.each { |error| expect(error).to be_a(SocketError) }
  end

  NAMED = {
    "Addrinfo.tcp" => -> { Addrinfo.tcp("localhost", 80).ip_port },
    "Addrinfo.udp" => -> { Addrinfo.udp("localhost", 80).ip_port },
    "Addrinfo.ip" => -> { Addrinfo.ip("localhost").ip? },
    "Addrinfo#getnameinfo" => -> { Addrinfo.tcp("127.0.0.1", 80).getnameinfo.size },
    "Socket.getnameinfo" => -> { Socket.getnameinfo(["AF_INET", 80, "127.0.0.1"]).size },
    "Socket.gethostbyname" => -> { Socket.public_send(:gethostbyname, "localhost").size },
    "TCPSocket.gethostbyname" => -> { TCPSocket.gethostbyname("localhost").size },
    "Socket.sockaddr_in" => -> { Socket.sockaddr_in(80, "localhost").bytesize },
    "Socket.pack_sockaddr_in" => -> { Socket.pack_sockaddr_in(80, "localhost").bytesize },
    "UDPSocket#connect" => -> { UDPSocket.new.connect("localhost", 9) },
    "UDPSocket#send" => -> { UDPSocket.new.send("x", 0, "localhost", 9) }
  }.freeze

  NAMED.each do |name, call|
    it "uses a helper thread for the name in #{name}" do
      expected = call.call
      helpers = java.util.concurrent.atomic.AtomicInteger.new
      found = helping(helpers) { on_loop { call.call } }

      expect(found).to be == expected
      expect(helpers.get).to be > 0
    end
  end
end
