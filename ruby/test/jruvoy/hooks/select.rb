# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"
require "socket"

# IO.select in a fiber.
describe IO do
  include OnLoop

  let(:ends) { IO.pipe }
  let(:reader) { ends.first }
  let(:writer) { ends.last }

  def select(...) = on_loop { IO.select(...) }

  it "waits for the first that can be read while other fibers run" do
    others = Array.new(3) { IO.pipe }
    ready = beside_turns do |task, turns|
      task.async { turns.await && others[1].last.write("x") }
      IO.select(others.map(&:first))
    end

    expect(ready).to be == [[others[1].first], [], []]
  end

  it "tells all three sets" do
    near, far = UNIXSocket.pair
    far.write("x")

    expect(select([near, reader], [near], [near, reader])).to be == [[near], [near], []]
  end

  it "needs no thread" do
    mock(Thread) { |type| type.replace(:new) { raise "a thread" } }
    writer.write("x")

    expect(Sync { IO.select([reader], nil, nil, 1) }).to be == [[reader], [], []]
  end

  it "gives up after its time, and only looks when that is 0" do
    start = now
    expect(select([reader], nil, nil, 0.02)).to be_nil
    expect(now - start).to be >= 0.02
    expect(select([reader], nil, nil, 0)).to be_nil
    expect(select(nil, nil, nil, 0.001)).to be_nil
    expect(select([], [], [], 0.001)).to be_nil
    expect(select([reader], [writer], nil, 0)).to be == [[], [writer], []]
  end

  it "counts what Ruby has read ahead as readable" do
    writer.write("one\ntwo\n")
    ready = on_loop { reader.gets && IO.select([reader], nil, nil, 0) }

    expect(ready).to be == [[reader], [], []]
  end

  it "counts the end of a pipe as readable" do
    writer.close

    expect(select([reader])).to be == [[reader], [], []]
    expect(select(nil, nil, [reader], 0.02)).to be_nil
  end

  it "tells an IO as often, and as the object, as it was given" do
    stands_for = Struct.new(:to_io).new(writer)

    expect(select(nil, [writer, writer])).to be == [[], [writer, writer], []]
    expect(select(nil, [stands_for])[1].first).to be_equal(stands_for)
  end

  it "takes regular files as always ready" do
    File.open(__FILE__) { |file| expect(select([file])).to be == [[file], [], []] }
  end

  it "takes both sides of a command's pipes" do
    before, after = on_loop do
      IO.popen("cat", "r+") do |command|
        before = IO.select([command], [command]).map(&:size)
        command.write("x")
        command.close_write
        [before, IO.select([command]).map(&:size)]
      end
    end

    expect([before, after]).to be == [[0, 1, 0], [1, 0, 0]]
  end

  it "refuses what cannot be waited for" do
    closed = IO.pipe.first.tap(&:close)

    expect(on_loop { raised(IOError) { IO.select([closed]) } }).to be_a(IOError)
    expect(on_loop { raised(IOError) { IO.select([writer]) } }).to be_a(IOError)
    expect(on_loop { raised(TypeError) { IO.select([1]) } }).to be_a(TypeError)
    expect(on_loop { raised(ArgumentError) { IO.select([reader], nil, nil, -1) } }).to be_a(ArgumentError)
  end

  it "ends when one of them is closed meanwhile" do
    other = IO.pipe.first
    error = on_loop do |task|
      waiter = task.async { raised(IOError) { IO.select([other, reader]) } }
      reader.close
      waiter.wait
    end

    expect(error).to be_a(IOError)
  end

  it "lets several fibers wait for the same IO" do
    woken = on_loop do |task|
      waiting = Array.new(3) { task.async { IO.select([reader]) } }
      writer.write("x")
      waiting.map(&:wait)
    end

    expect(woken.flatten.uniq).to be == [reader]
  end
end
