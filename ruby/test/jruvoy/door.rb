# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"
require "jruvoy/door"

describe Jruvoy::Door do
  include OnLoop

  # An app whose requests note when they are inside, and stay until they are let go.
  class Room
    attr_reader :inside, :most, :order

    def initialize
      @lock = Mutex.new
      @inside = @most = 0
      @order = []
    end

    def call(env)
      @lock.synchronize do
        @order << env[:number]
        @most = [@most, @inside += 1].max
      end
      env[:stay]&.call
      [200, {}, []]
    ensure
      @lock.synchronize { @inside -= 1 }
    end
  end

  let(:room) { Room.new }

  it "lets so many in and the others wait, first come first served" do
    on_loop do |task|
      door = subject.new(room, 3)
      tasks = Array.new(60) { |number| task.async { door.call({number: number, stay: -> { sleep(0.001) }}) } }

      expect(tasks.map { |each| each.wait.first }).to be == [200] * 60
      # Those who are inside at the same time may begin in any order.
      expect(room.order.each_with_index.reject { |number, place| (number - place).abs < 3 }).to be == []
      expect(room.most).to be == 3
      expect(door.waiting).to be == 0
    end
  end

  it "lets nobody slip in between the one who leaves and the first who waits" do
    on_loop do |task|
      door = subject.new(room, 1)
      gate = Thread::Queue.new
      task.async { 3.times { |turn| door.call({number: "a#{turn}", stay: -> { gate.pop }}) } }
      task.async { door.call({number: "b"}) }
      task.async { door.call({number: "c"}) }
      3.times { gate << true }
      task.yield until room.order.size == 5

      expect(room.order).to be == %w[a0 b c a1 a2]
    end
  end

  it "gives the place back when a request is cancelled, inside or before" do
    on_loop do |task|
      door = subject.new(room, 1)
      inside = task.async { door.call({number: 1, stay: -> { sleep }}) }
      before = task.async { door.call({number: 2}) }
      last = task.async { door.call({number: 3}) }
      before.stop
      expect(door.waiting).to be == 1
      inside.stop

      expect(last.wait.first).to be == 200
      expect(room.order).to be == [1, 3]
      expect(door.call({number: 4}).first).to be == 200
    end
  end

  it "hands a place on that comes in the moment of the cancel" do
    on_loop do |task|
      door = subject.new(room, 1)
      gate = Thread::Queue.new
      task.async { door.call({number: 1, stay: -> { gate.pop }}) }
      before = task.async { door.call({number: 2}) }
      last = task.async { door.call({number: 3}) }
      # The first leaves and hands its place to the second, who is stopped before it can look.
      task.async { gate << true; task.yield until door.waiting == 1; before.stop }.wait

      expect(last.wait.first).to be == 200
      expect(door.call({number: 4}).first).to be == 200
    end
  end

  it "answers 503 when nobody leaves in time" do
    on_loop do |task|
      door = subject.new(room, 1, timeout: 0.01)
      inside = task.async { door.call({number: 1, stay: -> { sleep }}) }
      status, headers, = door.call({number: 2})
      inside.stop

      expect(status).to be == 503
      expect(headers["retry-after"]).to be == "1"
      expect(room.order).to be == [1]
      expect(door.call({number: 3}).first).to be == 200
    end
  end

  it "keeps threads apart, too" do
    door = subject.new(room, 2)
    statuses = Array.new(20) { |number| Thread.new { door.call({number: number, stay: -> { sleep(0.002) }}).first } }

    expect(statuses.map(&:value)).to be == [200] * 20
    expect(room.most).to be == 2
    expect(door.waiting).to be == 0
  end

  it "frees the place of an app that raises" do
    door = subject.new(room, 1)

    expect(raised(IOError) { door.call({stay: -> { raise IOError, "app" }}) }).not.to be_nil
    expect(door.call({}).first).to be == 200
  end

  it "refuses to have no room" do
    expect(raised(ArgumentError) { subject.new(room, 0) }.message).to be =~ /room for 0/
  end
end
