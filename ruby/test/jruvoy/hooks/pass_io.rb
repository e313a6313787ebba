# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"
require "socket"

describe UNIXSocket, unique: "pass_io" do
  include OnLoop

  # Make a socket take no more.
  # @returns [Integer] How many bytes it took.
  def fill(socket)
    sent = 0
    while (count = socket.write_nonblock("x" * 65_536, exception: false)) != :wait_writable
      sent += count
    end
    sent
  end

  it "takes descriptors of others while other fibers run" do
    near, far = subject.pair
    reader, writer = IO.pipe
    text = beside_turns do |task, turns|
      receiving = Array.new(2) { task.async { near.recv_io } }
      2.times { |i| task.async { turns.await(3 + 3 * i) && far.send_io(reader) } }
      receiving.map { |one| one.wait.then { |received| writer.write("x") && received.readpartial(1) } }
    end

    expect(text).to be == %w[x x]
  end

  it "sends one to a socket that is full while other fibers run" do
    near, far = subject.pair
    types = beside_turns do |task, turns|
      sent = fill(far)
      sending = task.async { far.send_io(near) }
      turns.await
      near.read(sent)
      sending.wait
      far.send_io(far)
      [near.recv_io(subject), near.recv_io(nil)].map(&:class)
    end

    expect(types).to be == [subject, Integer]
  end

  it "says that nothing was passed" do
    near, far = subject.pair
    far.close

    expect(on_loop { raised(SocketError) { near.recv_io } }).to be_a(SocketError)
  end

  it "leaves the descriptor to others when it is cancelled" do
    near, far = subject.pair
    found = on_loop do |task|
      waiting = Array.new(2) { task.async { near.recv_io } }
      waiting.first.stop
      far.send_io(far)
      waiting.last.wait
    end

    expect(found).to be_a(IO)
    expect(near.read_nonblock(1, exception: false)).to be == :wait_readable
  end
end
