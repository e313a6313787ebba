# SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require "json"

# A response body that tells the time and the number of listeners, once a second, until the client goes away.
class Ticker
  # How many bodies are open. Only the owner's thread touches it.
  @listeners = 0

  class << self
    attr_accessor :listeners
  end

  # Opens the body.
  def initialize
    @open = true
    Ticker.listeners += 1
  end

  # Yields one event after the other. The sleep lets other requests run.
  # @yields [String] An event.
  def each
    1.step do |number|
      data = {number: number, time: Time.now.strftime("%H:%M:%S"), listeners: Ticker.listeners}
      yield "id: #{number}\ndata: #{JSON.generate(data)}\n\n"
      sleep 1
    end
  end

  # Called exactly once by a correct server, also when the client has gone.
  def close
    Ticker.listeners -= 1 if @open
    @open = false
  end
end
