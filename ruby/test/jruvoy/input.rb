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

  it "reads lines across pieces and keeps the rest" do
    body = input("one\ntw", "o\n\nth", "ree")
    expect(body.gets).to be == "one\n"
    expect(body.read(1)).to be == "t"
    expect(body.gets).to be == "wo\n"
    expect(body.gets).to be == "\n"
    expect(body.gets).to be == "three"
    expect(body.gets).to be_nil
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

  it "is binary" do
    expect(input("a").external_encoding).to be == Encoding::BINARY
    expect(input("a").binmode?).to be == true
  end

  it "refuses negative lengths" do
    expect { input("a").read(-1) }.to raise_exception(ArgumentError)
  end

  it "cannot be read once closed" do
    request = ScriptedRequest.new(pieces: ["a"])
    body = subject.new(request)
    body.close
    body.close
    expect(request.told).to be == [:refuse_body]
    expect { body.read }.to raise_exception(IOError)
    expect { body.each { |each| each } }.to raise_exception(IOError)
  end
end
