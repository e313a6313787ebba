# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"
require "socket"

describe IO do
  include OnLoop

  def closed_while_read(reader)
    on_loop do |task|
      waiter = task.async { raised(IOError) { reader.read(1) } }
      reader.close
      waiter.wait
    end
  end

  it "ends the reads of a pipe that is closed" do
    reader, writer = IO.pipe

    expect(closed_while_read(reader)&.message).to be == "stream closed in another thread"
  ensure
    writer&.close
  end

  it "ends the reads of a socket that is closed" do
    reader, writer = UNIXSocket.pair

    expect(closed_while_read(reader)).to be_a(IOError)
  ensure
    writer&.close
  end

  it "ends the reads of a loop when another thread closes" do
    reader, writer = IO.pipe
    error = on_loop do |task|
      waiter = task.async { raised(IOError) { reader.read(1) } }
      Thread.new { sleep(0.03) && reader.close }
      waiter.wait
    end

    expect(error).to be_a(IOError)
  ensure
    writer&.close
  end
end
