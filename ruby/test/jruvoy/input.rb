# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "jruvoy/input"
require "support/scripted_request"

# Rack's input, whatever the pieces that it arrives in.
describe Jruvoy::Input do
  def input(*pieces)
    subject.new(ScriptedRequest.new(pieces: pieces))
  end

  it "reads all, then nothing" do
    body = input("ab", "cd", "e")
    expect(body.read).to be == "abcde"
    expect(body.read).to be == ""
    expect(body.read(5)).to be_nil
    expect(body.read(0)).to be == ""
    expect(body.gets).to be_nil
  end

  it "reads exact lengths across pieces" do
    body = input("abc", "d", "efgh", "i")
    expect(body.read(2)).to be == "ab"
    expect(body.read(5)).to be == "cdefg"
    expect(body.read(0)).to be == ""
    expect(body.read(100)).to be == "hi"
    expect(body.read(1)).to be_nil
  end

  it "is binary" do
    body = input("\u00e9", "x")
    expect(body.read(1).encoding).to be == Encoding::BINARY
    expect(body.read.encoding).to be == Encoding::BINARY
    expect(body.read.encoding).to be == Encoding::BINARY
  end

  it "fills a buffer and returns it" do
    body = input("abcdef")
    buffer = +"previous content"
    expect(body.read(4, buffer)).to be_equal(buffer)
    expect(buffer).to be == "abcd"
    expect(body.read(4, buffer)).to be_equal(buffer)
    expect(buffer).to be == "ef"
    expect(body.read(4, buffer)).to be_nil
    expect(buffer).to be == ""
    expect(body.read(nil, buffer)).to be_equal(buffer)
  end

  it "fills a buffer across pieces, whatever was in it" do
    body = input("ab", "c", "def")
    buffer = "previous \u2713".dup
    expect(body.read(4, buffer)).to be == "abcd"
    expect(buffer.encoding).to be == Encoding::BINARY
    expect(body.read(nil, buffer)).to be == "ef"
    expect(buffer).to be == "ef"
  end

  it "reads all into a buffer at the end: an empty string, not nil" do
    body = input
    buffer = +"previous"
    expect(body.read(nil, buffer)).to be_equal(buffer)
    expect(buffer).to be == ""
    expect(body.read).to be == ""
    expect(body.read(nil)).to be == ""
  end

  it "reads 0 bytes without waiting, before, in and after the body" do
    request = ScriptedRequest.new(pieces: ["ab"])
    body = subject.new(request)
    buffer = +"previous"
    expect(body.read(0)).to be == ""
    expect(body.read(0, buffer)).to be_equal(buffer)
    expect(buffer).to be == ""
    expect(body.read(1)).to be == "a"
    expect(body.read(0)).to be == ""
    expect(body.readpartial(0)).to be == ""
    body.read
    expect(body.read(0)).to be == ""
  end

  it "loses no byte to a buffer that cannot be filled" do
    body = input("abc")
    expect { body.read(2, "frozen".freeze) }.to raise_exception(FrozenError)
    expect { body.readpartial(2, "frozen".freeze) }.to raise_exception(FrozenError)
    expect(body.read).to be == "abc"
  end

  it "takes lengths as IO does" do
    body = input("abcdef")
    expect(body.read(2.9)).to be == "ab"
    expect { body.read("2") }.to raise_exception(TypeError)
    expect { body.read(-1) }.to raise_exception(ArgumentError)
    expect { body.readpartial(-1) }.to raise_exception(ArgumentError)
    expect(body.read).to be == "cdef"
  end

  it "gives strings that may be changed and share nothing" do
    request = ScriptedRequest.new(pieces: ["a\nb"])
    body = subject.new(request)
    line = body.gets
    line << "changed"
    expect(body.read << "more").to be == "bmore"
    expect(body.read << "x").to be == "x"
    expect(body.read).to be == ""
  end

  it "reads lines across pieces and keeps the rest" do
    body = input("one\ntw", "o\n\nth", "ree")
    expect(body.gets).to be == "one\n"
    expect(body.read(1)).to be == "t"
    expect(body.gets).to be == "wo\n"
    expect(body.gets).to be == "\n"
    expect(body.gets).to be == "three"
    expect(body.gets).to be_nil
  end

  it "reads lines whose end is at the edge of a piece, and empty ones" do
    body = input("one", "\n", "\n", "\r\ntwo\n", "three\n")
    lines = []
    while (line = body.gets)
      lines << line
    end
    expect(lines).to be == ["one\n", "\n", "\r\n", "two\n", "three\n"]
    expect(lines.map(&:encoding).uniq).to be == [Encoding::BINARY]
  end

  it "yields the rest of a line that was begun, then nothing more" do
    body = input("line\nabc")
    body.gets
    body.read(1)
    expect(body.each.to_a).to be == ["bc"]
    expect(body.each.to_a).to be == []
  end

  it "yields pieces as they arrive" do
    body = input("line\nrest", "more")
    body.gets
    pieces = []
    body.each { |piece| pieces << piece }
    expect(pieces).to be == %w[rest more]
  end

  it "reads what is there" do
    body = input("abc", "d")
    expect(body.readpartial(10)).to be == "abc"
    expect(body.readpartial(10)).to be == "d"
    expect { body.readpartial(10) }.to raise_exception(EOFError)
  end

  it "says that it is binary" do
    expect(input("a").external_encoding).to be == Encoding::BINARY
    expect(input("a").binmode?).to be == true
  end

  it "cannot be read once closed" do
    request = ScriptedRequest.new(pieces: ["a"])
    body = subject.new(request)
    body.close
    body.close
    expect(request.told).to be == [:refuse_body]
    expect { body.read }.to raise_exception(IOError)
    expect { body.read(0) }.to raise_exception(IOError)
    expect { body.gets }.to raise_exception(IOError)
    expect { body.readpartial(1) }.to raise_exception(IOError)
    expect { body.each { |each| each } }.to raise_exception(IOError)
    expect(body.closed?).to be == true
  end
end
