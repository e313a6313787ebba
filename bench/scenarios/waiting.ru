# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

# Requests that sleep, and what they cost: for one owner, whose Ruby runs one thing at a time, so that plain
# numbers count right. Who asks for /state hears how many sleep now, how many slept at once at most since the last
# /state/anew, and the bytes of heap in use after a full collection.
class Sleepers
  # @returns [Integer]
  attr_reader :now, :most

  def initialize
    @now = @most = 0
  end

  # Sleeps, and counts who does.
  def sleep_for(seconds)
    @now += 1
    @most = @now if @now > @most
    sleep(seconds)
  ensure
    @now -= 1
  end

  # Forgets the most that there were.
  def forget = @most = @now
end

SLEEPERS = Sleepers.new
MEMORY = java.lang.management.ManagementFactory.memory_mx_bean

# @returns [Integer] Bytes.
def heap_in_use
  java.lang.System.gc
  MEMORY.heap_memory_usage.used
end

run lambda { |env|
  _, name, argument = env["PATH_INFO"].split("/")
  case name
  when "sleep" then SLEEPERS.sleep_for(argument.to_f)
  when "state"
    SLEEPERS.forget if argument == "anew"
    state = [SLEEPERS.now, SLEEPERS.most, (heap_in_use if argument == "heap").to_i]
  end
  [200, {"content-type" => "text/plain"}, [(state || %w[slept]).join(" ")]]
}
