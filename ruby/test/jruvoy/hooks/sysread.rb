# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"
require "socket"
require "tempfile"

describe IO, unique: "sysread" do
  include OnLoop

  PAIRS = {
    "a pipe" => -> { IO.pipe },
    "a socket" => -> { UNIXSocket.pair },
    "a command" => -> { [IO.popen("cat", "r+")] * 2 }
  }.freeze

  PAIRS.each do |kind, pair|
    it "lets the other fibers run while one waits for #{kind}", unique: kind do
      reader, writer = pair.call
      found = beside_turns do |task, turns|
        readers = Array.new(2) { task.async { reader.sysread(5) } }
        2.times { |i| task.async { turns.await(3 + 3 * i) && writer.syswrite("hello") } }
        readers.map(&:wait)
      end

      expect(found).to be == %w[hello hello]
    ensure
      [reader, writer].uniq.each(&:close)
    end
  end

  it "takes a buffer, ends with EOFError" do
    reader, writer = IO.pipe
    writer.write("one two")
    writer.close
    buffer = +"before"
    found = on_loop do
      [reader.sysread(3, buffer).equal?(buffer), buffer.dup, reader.sysread(9), raised(EOFError) do
        reader.sysread(1, buffer)
      end.class, reader.sysread(0), buffer]
    end

    expect(found).to be == [true, "one", " two", EOFError, "", ""]
    expect(raised(IOError) { on_loop { writer.sysread(1) } }).to be_a(IOError)
  end

  it "takes nothing of what was read ahead" do
    reader, writer = IO.pipe
    writer.write("one\ntwo")

    expect(on_loop { reader.gets && raised(IOError) { reader.sysread(3) } }).to be_a(IOError)
    expect(on_loop { [reader.sysread(0), reader.read(3)] }).to be == ["", "two"]
  end

  it "reads files from where they are" do
    Tempfile.create("sysread") do |file|
      file.write("hello")
      file.flush
      file.sysseek(1)

      expect(on_loop { [file.sysread(2), file.sysseek(0, IO::SEEK_CUR), file.sysread(9)] }).to be == ["el", 3, "lo"]
    end
  end

  it "leaves everything to others when it is cancelled, out of time or closed" do
    reader, writer = IO.pipe
    errors = on_loop do |task|
      waiting = Array.new(2) { task.async { raised(IOError) { reader.sysread(1) } } }
      waiting.first.stop
      out = raised(Async::TimeoutError) { task.with_timeout(0.01) { reader.sysread(1) } }
      reader.timeout = 0.01
      slow = raised(IO::TimeoutError) { reader.sysread(1) }
      reader.timeout = nil
      writer.write("x")
      reading = waiting.last.wait
      late = task.async { raised(IOError) { reader.sysread(1) } }
      reader.close
      [out, slow, reading, late.wait]
    end

    expect(errors.map(&:class)).to be == [Async::TimeoutError, IO::TimeoutError, NilClass, IOError]
  end

  it "asks a subclass nothing that would ask it again" do
    reader, writer = IO.pipe
    type = Class.new(IO) { def readpartial(...) = sysread(...) }
    writer.write("x")

    expect(on_loop { type.for_fd(reader.fileno, autoclose: false).readpartial(1) }).to be == "x"
  end
end
