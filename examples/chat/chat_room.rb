# SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require "async"
require "json"

# Everybody who is here, and what they say to each other. All members live in fibers of one thread, so that no lock is
# needed for the list.
class ChatRoom
  # How many messages may wait for a member whose connection is slow; who is slower than that leaves.
  BACKLOG = 100

  # One connection: its name, and the messages that wait to be sent to it.
  class Member
    attr_reader :name

    # @parameter socket [WebSocket]
    def initialize(name, socket)
      @name = name
      @socket = socket
      @waiting = Thread::Queue.new
    end

    # Hands a message over without waiting.
    def tell(message)
      @waiting.size < BACKLOG ? @waiting.push(message) : @waiting.close
    end

    # Sends what waits, as fast as this connection takes it, until the queue is closed.
    def deliver
      while (message = @waiting.pop)
        @socket.send_text(message)
      end
      @socket.close
    end

    # Yields what this member says, until the member leaves.
    def each_message
      while (text = @socket.receive)
        yield text
      end
    end
  end

  # An empty room.
  def initialize
    @members = []
    @guests = 0
  end

  # Stays until the member leaves or the connection is gone.
  # @parameter socket [WebSocket] The connection.
  def enter(socket)
    member = Member.new("Guest #{@guests += 1}", socket)
    delivery = Async { member.deliver }
    @members << member
    announce(:joined, member)
    member.each_message { |text| announce(:said, member, text.to_s[0, 1_000]) }
  ensure
    delivery&.stop
    announce(:left, member) if @members.delete(member)
  end

  private

  def announce(event, member, text = nil)
    @members.each do |listener|
      listener.tell(JSON.generate(event:, name: member.name, text:, you: listener == member, here: @members.size))
    end
  end
end
