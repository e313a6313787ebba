# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"
require "socket"

# What must not wait does not, in a fiber either.
describe IO do
  include OnLoop

  [["a pipe", -> { IO.pipe }], ["a socket", -> { UNIXSocket.pair.reverse }]].each do |name, pair|
    it "reads what is there of #{name}", unique: name do
      reader, writer = pair.call
      results = on_loop do
        results = [reader.read_nonblock(5, exception: false)]
        results << raised(IO::WaitReadable) { reader.read_nonblock(5) }.class
        writer.write("one\ntwo")
        results << reader.gets << reader.read_nonblock(5) << reader.read_nonblock(5, exception: false)
        writer.close
        results << reader.read_nonblock(5, exception: false) << raised(EOFError) { reader.read_nonblock(5) }.class
      end

      expect(results).to be == [
        :wait_readable, IO::EAGAINWaitReadable, "one\n", "two", :wait_readable, nil, EOFError
      ]
    end

    it "writes what #{name} takes", unique: name do
      reader, writer = pair.call
      sent, ends = on_loop do
        sent = 0
        while (count = writer.write_nonblock("x" * 100_000, exception: false)) != :wait_writable
          sent += count
        end
        [sent, [count, raised(IO::WaitWritable) { writer.write_nonblock("x") }.class, writer.write_nonblock("")]]
      end
      writer.close

      expect(ends).to be == [:wait_writable, IO::EAGAINWaitWritable, 0]
      expect(reader.read.size).to be == sent
      expect(raised(IOError) { on_loop { writer.write_nonblock("x") } }).to be_a(IOError)
    end
  end

  it "raises the error of a pipe that nobody reads" do
    reader, writer = IO.pipe
    reader.close

    expect(on_loop { raised(Errno::EPIPE) { writer.write_nonblock("x") } }).to be_a(Errno::EPIPE)
  end

  it "looks at a socket without taking anything" do
    server = TCPServer.new("127.0.0.1", 0)
    results = on_loop do
      client = TCPSocket.new("127.0.0.1", server.addr[1])
      far = server.accept
      peek = -> { client.recv_nonblock(1, Socket::MSG_PEEK, exception: false) }
      results = [peek.call]
      far.write("hello")
      client.wait_readable
      results << peek.call << client.read_nonblock(5) << peek.call
      far.close
      client.wait_readable
      results << peek.call
    end

    expect(results).to be == [:wait_readable, "h", "hello", :wait_readable, nil]
  end
end
