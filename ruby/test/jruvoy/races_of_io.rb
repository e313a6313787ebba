# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/storms"
require "socket"
require "timeout"

# As races.rb, for what waits by a descriptor: no byte and no client may get lost, whoever is cancelled or
# gives up.
describe "races of IO" do
  include Storms
  extend Storms::Definition

  # Counts up while the block reads something; an interrupt ends it.
  def taking(taken, &read)
    lambda do |_|
      taken.increment_and_get while read.call
    rescue Storms::Interrupted
      nil
    end
  end

  # Close an IO when some threads have ended.
  def close_after(threads, writer)
    Thread.new { threads.each(&:join) && writer.close }
  end

  # Send back the lines of a client, who may leave.
  def echo(peer)
    peer.each_line { |line| peer.write(line) }
  rescue SystemCallError
    nil
  ensure
    peer.close
  end

  storm "threads write, fibers read" do
    reader, writer = IO.pipe
    closing = close_after(threads(4) { 500.times { writer.syswrite("x") } }, writer)
    taken = fibers(10) { Array.new(3000).take_while { reader.read(1) }.size }.sum
    closing.join

    expect(taken).to be == 2000
  end

  storm "cancelled readers take no byte with them" do
    reader, writer = UNIXSocket.pair
    taken = counter
    writing = threads(2) { 300.times { |i| writer.syswrite("x") && (i % 20 == 0 && sleep(0.0005)) } }
    read = taking(taken) { reader.public_send(%i[readpartial sysread recv].sample, 1) }
    on_loop { |task| with_cancels(task, 5, read) { taken.get == 600 } }
    writing.each(&:join)

    expect(reader.read_nonblock(1, exception: false)).to be == :wait_readable
  end

  storm "readers that give up in time take no byte with them" do
    reader, writer = IO.pipe
    taken = counter
    closing = close_after(threads(2) { 300.times { writer.syswrite("x") && sleep(0.0001) } }, writer)
    fibers(6) do |i|
      ended = false
      until ended
        begin
          next if i.odd? && !reader.wait_readable(0.0003)

          Timeout.timeout(0.0005) { reader.read(1) ? taken.increment_and_get : ended = true }
        rescue Timeout::Error
          next
        end
      end
    end
    closing.join

    expect(taken.get).to be == 600
  end

  storm "cancelled writers leave what they have written, and nothing else" do
    reader, writer = IO.pipe
    piece = "x" * 4096
    sent = counter
    received = Thread.new do
      Array.new(10_000).take_while { reader.wait_readable && sleep(0.0002) && reader.read(piece.bytesize) }.size
    end
    on_loop do |task|
      # A pipe holds 16 of them: the writers wait.
      write = taking(sent) { sent.get < 300 && writer.syswrite(piece) }
      with_cancels(task, 20, write) { sent.get >= 300 }
      writer.close
    end

    expect(received.value).to be == sent.get
  end

  storm "cancelled copies leave what they have not copied" do
    reader, writer = IO.pipe
    near, far = UNIXSocket.pair
    bytes = Random.new(1).bytes(400_000)
    sending = Thread.new { bytes.each_char.each_slice(10_000) { |part| writer.syswrite(part.join) } && writer.close }
    received = Thread.new { near.read.b }
    on_loop do |task|
      ended = false
      copy = lambda do |_|
        IO.copy_stream(reader, far)
        ended = true
      rescue Storms::Interrupted
        nil
      end
      with_cancels(task, 1, copy) { ended }
      far.close
    end
    sending.join

    expect(received.value == bytes).to be == true
  end

  storm "every client is accepted, whoever waits for it is cancelled" do
    server = TCPServer.new("127.0.0.1", 0)
    port = server.addr[1]
    accepted = counter
    connecting = threads(4) do
      15.times { TCPSocket.new("127.0.0.1", port).then { |client| client.read && client.close } }
    end
    accept = taking(accepted) { server.accept.close || true }
    on_loop { |task| with_cancels(task, 4, accept) { accepted.get == 60 } }
    connecting.each(&:join)

    expect(server.accept_nonblock(exception: false)).to be == :wait_readable
  ensure
    server&.close
  end

  storm "clients and servers of one loop talk, while others are cut" do
    server = TCPServer.new("127.0.0.1", 0)
    echoed = on_loop do |task|
      serving = task.async do
        loop { server.accept.then { |peer| task.async { echo(peer) } } }
      end
      talking = Array.new(12) do |i|
        task.async do
          client = TCPSocket.new("127.0.0.1", server.addr[1])
          Array.new(10) { |j| client.write("#{i} #{j}\n") && client.gets }
        ensure
          client&.close
        end
      end
      talking.each_slice(4) { |slice| task.yield && slice.first.stop }
      talking.map(&:wait).compact.tap { serving.stop }
    end

    expect(echoed.size).to be >= 9
    echoed.each { |lines| expect(lines.map { |line| Integer(line.split.last) }).to be == (0..9).to_a }
  ensure
    server&.close
  end

  storm "selects with tiny timeouts and cancels miss nothing" do
    pipes = Array.new(4) { IO.pipe }
    readers = pipes.map(&:first)
    taken = counter
    writing = threads(4) { |i| 100.times { |j| pipes[i].last.syswrite("x") && (j % 10 == 0 && sleep(0.0003)) } }
    look = taking(taken) do
      ready, = IO.select(readers, nil, nil, rand(2) == 0 ? 0.0005 : nil)
      taken.add_and_get(Array(ready).count { |one| one.read_nonblock(1, exception: false).is_a?(String) } - 1)
      true
    end
    on_loop { |task| with_cancels(task, 4, look) { taken.get >= 400 } }
    writing.each(&:join)

    expect(readers.map { |one| one.read_nonblock(1, exception: false) }.uniq).to be == [:wait_readable]
  end

  storm "whoever waits for an IO is told when a thread closes it" do
    pipes = Array.new(10) { IO.pipe }
    errors = on_loop do |task|
      waiting = pipes.flat_map do |reader, _|
        [-> { reader.read(1) }, -> { reader.gets }, -> { IO.select([reader]) }].map do |wait|
          task.async { raised(IOError, &wait) }
        end
      end
      threads(2) { |i| pipes.each_with_index { |ends, at| ends.first.close if at % 2 == i } }
      waiting.map(&:wait)
    end

    expect(errors.map(&:class).uniq).to be == [IOError]
  end
end
