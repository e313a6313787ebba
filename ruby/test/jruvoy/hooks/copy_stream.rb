# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"
require "socket"
require "stringio"
require "tempfile"

describe IO, unique: "copy_stream" do
  include OnLoop

  BYTES = Random.new(3).bytes(300_000).freeze

  # A failed comparison shows what it compares: a hash and not so many bytes.
  def sum(bytes) = [bytes.bytesize, bytes.b.hash]

  # The block with a file of BYTES.
  def with_file
    Tempfile.create("copy") do |file|
      file.binmode.write(BYTES)
      file.flush
      file.rewind
      yield file
    end
  end

  # Copy to a socket.
  # @returns [Array] The count, and what came out of the socket.
  def through_socket(task, from, *part)
    near, far = UNIXSocket.pair
    copying = task.async { IO.copy_stream(from, far, *part).tap { far.close } }
    copy = near.read
    [copying.wait, copy]
  end

  # A pipe of which Ruby has read one line ahead.
  def pipe(text)
    reader, writer = IO.pipe
    writer.write("\n#{text}")
    writer.close
    reader.tap(&:gets)
  end

  it "lets the other fibers run while the source and the target are slow" do
    near, far = UNIXSocket.pair
    reader, writer = IO.pipe
    count, copy = beside_turns do |task, turns|
      task.async { turns.await && writer.write(BYTES) && writer.close }
      copying = task.async { IO.copy_stream(reader, far).tap { far.close } }
      turns.await(20)
      [near.read, copying.wait].reverse
    end

    expect(count).to be == BYTES.bytesize
    expect(sum(copy)).to be == sum(BYTES)
  end

  it "copies from files and paths, all or a part, from where it is asked to" do
    with_file do |file|
      parts = [[file], [file.path], [file, 70_000, 5], [file.path, 3, 100], [file.path, 0], [file, -1, 299_990]]
      copies = on_loop { |task| parts.map { |from, *part| through_socket(task, from, *part) } }
      expected = [BYTES, BYTES, BYTES.byteslice(5, 70_000), BYTES.byteslice(100, 3), "", BYTES.byteslice(299_990, 10)]

      expect(copies.map(&:first)).to be == expected.map(&:bytesize)
      expect(copies.map { |_, copy| sum(copy) }).to be == expected.map { |part| sum(part) }
      expect(file.pos).to be == BYTES.bytesize
    end
  end

  it "copies to files, paths and what only has write" do
    Tempfile.create("copy") do |file|
      copies = [file, file.path, StringIO.new].map do |to|
        on_loop do |task|
          reader, writer = IO.pipe
          task.async { [writer.write("some "), task.yield, writer.write("text"), writer.close] }
          [IO.copy_stream(reader, to), to.is_a?(StringIO) ? to.string : File.read(file.path)]
        end
      end

      expect(copies).to be == [[9, "some text"]] * 3
    end
  end

  it "copies from what has read or readpartial" do
    part = Class.new { def readpartial(*) = (@left ||= %w[b a]).pop || raise(EOFError) }
    whole = Class.new { def read(*) = (@left ||= %w[b a]).pop }

    expect(on_loop { |task| [part, whole].map { |type| through_socket(task, type.new) } }).to be == [[2, "ab"]] * 2
  end

  it "takes what was read ahead, and writes behind what was written before" do
    reader, writer = IO.pipe
    writer.sync = false
    writer.write("zero")
    source = pipe("twothree")
    found = on_loop { [IO.copy_stream(source, writer, 3), reader.readpartial(9), source.read] }

    expect(found).to be == [3, "zerotwo", "three"]
  end

  it "gives back what a copy that is cancelled has read and not written" do
    reader, writer = IO.pipe
    near, far = UNIXSocket.pair
    copied, rest = on_loop do |task|
      writing = task.async { writer.write(BYTES) && writer.close }
      copying = task.async { IO.copy_stream(reader, far) }
      10.times { task.yield }
      copying.stop
      far.close
      parts = [near.read, reader.read]
      writing.wait
      parts
    end

    expect(copied.bytesize).to be > 0
    expect(rest.bytesize).to be > 0
    expect(sum(copied.b + rest.b)).to be == sum(BYTES)
  end

  it "raises what CRuby raises" do
    with_file do |file|
      closed, unread = Array.new(2) { IO.pipe }
      closed.each(&:close)
      unread.first.close
      copies = [
        [closed.first, $stdout], [pipe("a"), closed.last], [pipe("a"), pipe("b")], [pipe("a"), unread.last],
        [pipe("a"), unread.last, 1, 1], [StringIO.new, unread.last, 1, 1], ["/nowhere", unread.last],
        [Object.new, unread.last], [pipe("a"), Object.new], [file, pipe("a")]
      ]
      types = on_loop { copies.map { |copy| raised(StandardError) { IO.copy_stream(*copy) }.class } }

      expect(types).to be == [
        IOError, IOError, IOError, Errno::EPIPE, Errno::ESPIPE, ArgumentError, Errno::ENOENT, NoMethodError,
        NoMethodError, IOError
      ]
    end
  end

  it "gives up when one of the two takes too long" do
    reader, = IO.pipe
    _, full = IO.pipe
    errors = on_loop do
      reader.timeout = full.timeout = 0.01
      copies = [[reader, StringIO.new], [StringIO.new(BYTES), full]]
      copies.map { |copy| raised(IO::TimeoutError) { IO.copy_stream(*copy) } }
    end

    expect(errors.map(&:class)).to be == [IO::TimeoutError] * 2
  end

  it "copies between files as ever" do
    with_file do |file|
      Tempfile.create("copy") do |copy|
        expect(on_loop { IO.copy_stream(file, copy) }).to be == BYTES.bytesize
        expect(sum(File.binread(copy.path))).to be == sum(BYTES)
      end
    end
  end
end
