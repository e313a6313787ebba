# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "jruvoy/stream"
require "support/scripted_request"

# The two-way stream of a streaming body behaves like a socket.
describe Jruvoy::Stream do
  let(:request) { ScriptedRequest.new(pieces: ["abc", "def"]) }
  let(:stream) { subject.new(request) }

  it "writes, and says how much" do
    expect(stream.write("abc")).to be == 3
    expect(stream.write("d", "ef")).to be == 3
    expect(stream << "g").to be_equal(stream)
    expect(request.sent).to be == "abcdefg"
  end

  it "reads the request's body" do
    expect(stream.read(4)).to be == "abcd"
    expect(stream.read).to be == "ef"
  end

  it "reads on where the env's input was left" do
    request.input.read(2)
    expect(stream.read).to be == "cdef"
  end

  it "closes both sides once" do
    expect(stream.closed?).to be == false
    2.times { stream.close }
    expect(stream.closed?).to be == true
    expect(request.told).to be == %i[refuse_body finish]
    expect { stream.write("late") }.to raise_exception(IOError)
    expect { stream.flush }.to raise_exception(IOError)
    expect { stream.read }.to raise_exception(IOError)
  end

  it "closes one side at a time" do
    stream.close_write
    expect(stream.closed?).to be == false
    expect(stream.read(1)).to be == "a"
    stream.close_read
    expect(stream.closed?).to be == true
  end

  it "breaks when the client has gone" do
    request.closed = true
    expect { stream.write("x") }.to raise_exception(Errno::EPIPE)
    stream.close
    expect(request.told).to be == [:refuse_body]
  end
end
