# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

module Jruvoy
  # Rack middleware that lets only so many requests into the app at once; the others wait
  # before it, first come first served. Made for apps whose requests share something scarce,
  # such as a pool of database connections: who is inside never waits for one.
  #
  # ```ruby
  # # config.ru
  # use Jruvoy::Door, DB.pool.max_size
  # run App
  # ```
  #
  # A request is inside while the app's `call` runs, not while its response body is sent: a
  # slow client keeps nobody out.
  class Door
    # @parameter app [Object] Answers `call(env)`.
    # @parameter room [Integer] How many requests may be inside.
    # @parameter timeout [Numeric] How many seconds a request waits before it is answered 503.
    # @raises [ArgumentError] There is room for nobody.
    def initialize(app, room, timeout: 30)
      raise ArgumentError, "Jruvoy::Door has room for #{room} requests; at least 1" unless room.positive?

      @app = app
      @timeout = timeout
      @lock = Mutex.new
      @free = room
      @waiting = []
    end

    # Wait for a place inside, then let the app answer.
    # @asynchronous Parks the fiber or blocks the thread. Any thread.
    # @parameter env [Hash] The Rack env.
    # @returns [Array] The app's response; 503 when the time has passed.
    def call(env)
      return refusal unless enter

      begin
        @app.call(env)
      ensure
        leave
      end
    end

    # How many requests wait before the door now. Any thread.
    # @returns [Integer]
    def waiting = @lock.synchronize { @waiting.size }

    private

    def enter
      place = @lock.synchronize { take_place } or return true
      wait(place)
    end

    # @returns [Thread::Queue | Nil] Where to wait; nil when there is room.
    def take_place
      if @free.positive?
        @free -= 1
        nil
      else
        Thread::Queue.new.tap { |place| @waiting << place }
      end
    end

    # Who leaves hands the place to the first who waits, so that nobody slips in between.
    def wait(place)
      entered = place.pop(timeout: @timeout)
    ensure
      # Whoever gives up may have been handed the place in that very moment.
      abandon(place) unless entered
    end

    def abandon(place)
      handed = @lock.synchronize { @waiting.delete(place).nil? }
      leave if handed
    end

    def leave
      @lock.synchronize do
        following = @waiting.shift
        following ? following << true : @free += 1
      end
    end

    def refusal
      [503, {"content-type" => "text/plain", "retry-after" => "1"}, ["Service Unavailable\n"]]
    end
  end
end
