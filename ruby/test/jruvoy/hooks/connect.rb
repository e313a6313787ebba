# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"

describe TCPSocket do
  include OnLoop

  it "connects, and runs a block with the socket" do
    server = TCPServer.new("127.0.0.1", 0)
    kept = nil
    text = on_loop do |task|
      task.async { server.accept.then { |connection| connection.write("hi") && connection.close } }
      subject.open("127.0.0.1", server.addr[1]) { |socket| (kept = socket).read }
    end

    expect(text).to be == "hi"
    expect(kept).to be(:closed?)
  ensure
    server&.close
  end

  it "raises what connecting raises" do
    expect(on_loop { raised(Errno::ECONNREFUSED) { subject.new("127.0.0.1", 1) } }).to be_a(Errno::ECONNREFUSED)
  end

  it "is found by name while other fibers run" do
    expect(on_loop { Addrinfo.getaddrinfo("localhost", 80, nil, :STREAM) }).not.to be(:empty?)
    expect(on_loop { IPSocket.getaddress("127.0.0.1") }).to be == "127.0.0.1"
  end
end
