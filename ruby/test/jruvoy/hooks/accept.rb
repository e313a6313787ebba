# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"
require "tmpdir"

describe TCPServer do
  include OnLoop

  it "lets the other fibers run while one waits for a client" do
    server = subject.new("127.0.0.1", 0)
    line = beside_turns do |task, turns|
      task.async do
        turns.await
        client = TCPSocket.new("127.0.0.1", server.addr[1])
        client.puts("hello")
        client.close
      end
      connection = server.accept
      connection.gets.tap { connection.close }
    end

    expect(line).to be == "hello\n"
  ensure
    server&.close
  end

  it "serves a client of the same loop, both ways" do
    server = subject.new("127.0.0.1", 0)
    answer = on_loop do |task|
      task.async do
        connection = server.accept
        connection.write(connection.readpartial(3).upcase)
        connection.close
      end
      client = TCPSocket.new("127.0.0.1", server.addr[1])
      client.write("abc")
      client.read.tap { client.close }
    end

    expect(answer).to be == "ABC"
  ensure
    server&.close
  end

  it "does so for UNIX sockets and plain sockets" do
    Dir.mktmpdir do |folder|
      path = File.join(folder, "s")
      server = UNIXServer.new(path)
      result = beside_turns do |task, turns|
        task.async { turns.await && UNIXSocket.open(path) { |client| client.write("x") } }
        server.accept.then { |connection| connection.read.tap { connection.close } }
      end

      expect(result).to be == "x"
      server.close
    end
  end

  it "takes a connection as a descriptor while other fibers run" do
    server = subject.new("127.0.0.1", 0)
    text = beside_turns do |task, turns|
      client = task.async { turns.await && TCPSocket.new("127.0.0.1", server.addr[1]).read }
      TCPSocket.for_fd(server.sysaccept).then { |socket| socket.write("hi") && socket.close }
      client.wait
    end

    expect(text).to be == "hi"
  ensure
    server&.close
  end
end
