# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"
require "socket"
require "tempfile"

describe Jruvoy::Selector do
  include OnLoop

  # Bytes that no other memory happens to hold.
  let(:bytes) { Random.new(7).bytes(1_000_000) }

  def through(reader, writer, &read)
    on_loop do |task|
      task.async do
        writer.write(bytes)
        writer.close
      end
      read.call(reader)
    end
  end

  it "reads a pipe byte for byte" do
    expect(through(*IO.pipe, &:read).b).to be == bytes
  end

  it "reads a socket byte for byte" do
    expect(through(*UNIXSocket.pair, &:read).b).to be == bytes
  end

  it "reads in pieces of every kind" do
    read = lambda do |reader|
      [reader.read(0), reader.read(5), reader.readpartial(7), reader.getbyte.chr, reader.read].map(&:b).join
    end

    expect(through(*UNIXSocket.pair, &read)).to be == bytes
  end

  it "reads lines that come in parts" do
    reader, writer = IO.pipe
    lines = on_loop do |task|
      task.async do
        writer.write("on")
        sleep(0.01)
        writer.write("e\ntwo\nthr")
        sleep(0.01)
        writer.write("ee")
        writer.close
      end
      reader.each_line.to_a
    end

    expect(lines).to be == ["one\n", "two\n", "three"]
  end

  it "reads what a command writes" do
    expect(on_loop { IO.popen("sleep 0.05; echo hi", &:read) }).to be == "hi\n"
    expect(on_loop { IO.popen("printf 'a\\nb\\n'") { |command| command.each_line.to_a } }).to be == %W[a\n b\n]
  end

  it "reads and writes regular files without waiting" do
    Tempfile.create("selector") do |file|
      text = on_loop do
        file.write("text")
        file.rewind
        file.read
      end

      expect(text).to be == "text"
    end
  end

  it "lets a socket be written while it is read" do
    near, far = UNIXSocket.pair
    result = on_loop do |task|
      reader = task.async { near.readpartial(5) }
      near.write("to-far")
      [far.readpartial(10), far.write("hello"), reader.wait]
    end

    expect(result).to be == ["to-far", 5, "hello"]
  end

  it "wakes a reader and a writer of the same socket each for its own event" do
    near, far = UNIXSocket.pair
    size = on_loop do |task|
      reader = task.async { near.readpartial(5) }
      writer = task.async { near.write("x" * 1_000_000) }
      size = far.read(1_000_000).size
      far.write("hello")
      [reader, writer].each(&:wait)
      size
    end

    expect(size).to be == 1_000_000
  end

  it "waits for the first of several" do
    pipes = Array.new(3) { IO.pipe }
    ready = beside_turns do |task, turns|
      task.async { turns.await && pipes[1].last.write("x") }
      IO.select(pipes.map(&:first), nil, nil, OnLoop::LIMIT)
    end

    expect(ready).to be == [[pipes[1].first], [], []]
    expect(on_loop { IO.select([pipes[0].first], nil, nil, 0.01) }).to be_nil
  end

  it "can be woken and pushed to by other threads" do
    woken = on_loop do
      scheduler = Fiber.scheduler
      fiber = Fiber.current
      100.times do
        Thread.new { scheduler.unblock(nil, fiber) }
        scheduler.transfer
      end
      true
    end

    expect(woken).to be == true
  end
end
