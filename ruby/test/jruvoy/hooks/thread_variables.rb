# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"
require "jruvoy/hooks/thread_variables"

describe Jruvoy::Hooks::ThreadVariables do
  include OnLoop

  # Run the block as a request's task and wait for it.
  def request(&block) = Jruvoy::RequestTask.run(Fiber.scheduler, &block).tap(&:wait)

  it "keeps thread variables for its fibers, and to itself" do
    Thread.current.thread_variable_set(:of_the_loop, 1)
    seen = on_loop do
      seen = []
      tasks = Array.new(2) do |i|
        Jruvoy::RequestTask.run(Fiber.scheduler) do |task|
          Thread.current.thread_variable_set(:mine, i)
          sleep(0.005)
          seen << task.async { Thread.current.thread_variable_get(:mine) }.wait
          seen << Thread.current.thread_variables << Thread.current.thread_variable?(:of_the_loop)
        end
      end
      tasks.each(&:wait)
      seen << Thread.current.thread_variable_get(:mine) << Thread.current.thread_variable_get(:of_the_loop)
    end

    expect(seen).to be == [0, [:mine], false, 1, [:mine], false, nil, 1]
  ensure
    Thread.current.thread_variable_set(:of_the_loop, nil)
  end

  it "forgets them, and takes a variable away by nil" do
    keys = on_loop do
      keys = []
      request do |task|
        Thread.current.thread_variable_set("one", 1)
        Thread.current.thread_variable_set(:two, 2)
        Thread.current.thread_variable_set(:two, nil)
        keys << Thread.current.thread_variables
        task.leave
        keys << Thread.current.thread_variables
      end
      keys
    end

    expect(keys).to be == [[:one], []]
  end

  it "leaves the variables of other threads alone" do
    other = Thread.new { sleep }
    on_loop { request { other.thread_variable_set(:set, 1) } }

    expect(other.thread_variable_get(:set)).to be == 1
    other.kill
  end
end
