# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/storms"

# As races.rb, for child processes.
describe "races of children" do
  include Storms
  extend Storms::Definition

  storm "every child is waited for once, by whoever stays" do
    children = Array.new(12) { |i| spawn("exit #{i}") }
    ended = on_loop do |task|
      wait = lambda do
        Process.wait(rand(2) == 0 ? -1 : children.sample) && $?.exitstatus
      rescue Errno::ECHILD
        nil
      end
      ended = []
      until ended.size == 12
        tries = Array.new(3) { task.async { (status = wait.call) && ended << status } }
        task.yield
        tries.sample.stop
        tries.each(&:wait)
      end
      ended
    end

    expect(ended.sort).to be == (0..11).to_a
  end
end
