# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"
require "socket"
require "tempfile"

# What a fiber reads while the bytes arrive in pieces is what a thread reads of a file with the same bytes: the same
# bytes in the same strings, with the same encodings.
describe "reads" do
  include OnLoop

  TEXT = "größe, naïve\n\n\n\n日本語,テキスト\r\nlast 🙂 line\nx\n\nno newline é".b.freeze

  # Repeat a read until it finds the end.
  UNTIL_END = lambda do |&read|
    parts = []
    while (part = read.call)
      parts << part
    end
    parts << read.call
  end

  READS = {
    "read" => ->(io) { [io.read, io.read, io.read(1)] },
    "read of a length" => ->(io) { UNTIL_END.call { io.read(7) } },
    "read of the length 0" => ->(io) { [io.read(0), io.read(3), io.read(0), io.read, io.read(0), io.read(1)] },
    "read into a string" => lambda do |io|
      buffer = +"before"
      UNTIL_END.call { io.read(5, buffer)&.dup } << buffer
    end,
    "readpartial" => ->(io) { [io.readpartial(0), UNTIL_END.call { once { io.readpartial(4) } }.join] },
    "gets" => ->(io) { UNTIL_END.call { io.gets } << io.lineno },
    "gets without newlines" => ->(io) { UNTIL_END.call { io.gets(chomp: true) } },
    "gets by a separator" => ->(io) { UNTIL_END.call { io.gets(",") } },
    "gets by a separator of several bytes" => ->(io) { UNTIL_END.call { io.gets("\r\n", chomp: true) } },
    "gets by a character of several bytes" => ->(io) { UNTIL_END.call { io.gets("ï") } },
    "gets of paragraphs" => ->(io) { UNTIL_END.call { io.gets("") } },
    "gets of paragraphs without newlines" => ->(io) { UNTIL_END.call { io.gets("", chomp: true) } },
    "gets of all" => ->(io) { UNTIL_END.call { io.gets(nil) } },
    "gets with a limit" => ->(io) { UNTIL_END.call { io.gets(3) } },
    "gets with the limit 0" => ->(io) { [io.gets(0), io.gets(0), io.gets] },
    "gets by a separator with a limit" => ->(io) { UNTIL_END.call { io.gets(",", 4) } },
    "gets of all with a limit" => ->(io) { UNTIL_END.call { io.gets(nil, 6) } },
    "readline" => ->(io) { UNTIL_END.call { once { io.readline } } },
    "readlines" => ->(io) { io.readlines << io.lineno },
    "readlines with a limit" => ->(io) { io.readlines(4, chomp: true) },
    "each_line" => ->(io) { io.each_line.to_a },
    "each_line by a separator with a limit" => ->(io) { io.each_line("\n", 5).to_a },
    "each_char" => ->(io) { io.each_char.to_a },
    "each_byte" => ->(io) { io.each_byte.to_a },
    "getc" => ->(io) { UNTIL_END.call { io.getc } },
    "readchar" => ->(io) { UNTIL_END.call { once { io.readchar } } },
    "getbyte" => ->(io) { UNTIL_END.call { io.getbyte } },
    "ungetc" => lambda do |io|
      first = io.getc
      io.ungetc(first)
      third = [io.getc, io.getc, io.getc].last
      io.ungetc("日é")
      [first, third, io.getc, io.read(3), io.gets, io.ungetc("y"), io.read, io.ungetc("ü"), io.getc, io.getc]
    end,
    "ungetbyte" => lambda do |io|
      first = io.getbyte
      io.ungetbyte(first)
      io.ungetbyte(0x141)
      io.ungetbyte("\xff\x00".b)
      [first, io.read(4), io.gets, io.ungetbyte(nil), io.read, io.ungetbyte(7), io.read, io.getbyte]
    end,
    "eof?" => ->(io) { [io.eof?, io.read(5), io.eof?, io.read, io.eof?] },
    "one after the other" => lambda do |io|
      [io.getc, io.gets, io.getbyte, io.read(2), io.each_char.first(3), io.gets(2), io.readpartial(1), io.gets("\r\n"),
       io.getc, io.each_line.to_a, io.gets]
    end
  }.freeze

  # Each makes the end that is read and the end that is written; a command's is both.
  SOURCES = {
    "a pipe" => -> { IO.pipe },
    "a socket" => -> { UNIXSocket.pair },
    "a command" => -> { [IO.popen("cat", "r+")] * 2 }
  }.freeze

  # The end as nil.
  def self.once
    yield
  rescue EOFError
    nil
  end

  # Values as what can be compared: of strings also the encoding.
  def exactly(value)
    case value
    when Array then value.map { |each| exactly(each) }
    when String then [value.b, value.encoding]
    else value
    end
  end

  def of_a_file(read)
    Tempfile.create("reads") do |file|
      file.binmode.write(TEXT)
      file.rewind
      exactly(read.call(file.set_encoding("UTF-8")))
    end
  end

  def in_pieces(source, size, read)
    on_loop do |task|
      reader, writer = source.call
      writing = task.async do
        TEXT.each_char.each_slice(size) { |piece| writer.syswrite(piece.join) && task.yield }
        writer.equal?(reader) ? writer.close_write : writer.close
      end
      exactly(read.call(reader.set_encoding("UTF-8"))).tap { writing.wait && reader.close }
    end
  end

  READS.each do |name, read|
    SOURCES.each do |kind, source|
      it "finds by #{name} of #{kind} what there is" do
        expected = of_a_file(read)

        [1, 5, TEXT.bytesize].each { |size| expect(in_pieces(source, size, read)).to be == expected }
      end
    end
  end

  it "reads as often as is asked for what several fibers write" do
    reader, writer = IO.pipe
    lines = on_loop do |task|
      writing = Array.new(5) { |i| task.async { 20.times { |j| writer.write("#{i} #{j}\n") && task.yield } } }
      reading = task.async { Array.new(100) { reader.gets } }
      writing.each(&:wait)
      reading.wait
    end

    expect(lines.uniq.size).to be == 100
    expect(lines.grep(/\A\d \d+\n\z/).size).to be == 100
  end
end
