# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"

# Runs parts of a test on several owners at once: each has its own thread and its own loop,
# as in a server with `owners` above 1.
module OnOwners
  include OnLoop

  # Run the block in fibers of two owners, the test's own and another one.
  # @parameter fibers [Integer] How many fibers of each owner.
  # @yields {|owner, fiber| ...} The numbers of both, from 0.
  # @returns [Array] The results of both owners' fibers.
  def on_two_owners(fibers, &block)
    other = java.util.concurrent.CompletableFuture.new
    thread = Java::JruvoyOwner::OwnerThread.start("owner-1") { settle(other) { on_fibers(1, fibers, &block) } }
    own = on_fibers(0, fibers, &block)
    own + other.get
  ensure
    thread&.join
  end

  private

  def on_fibers(owner, count, &block)
    on_loop { |task| Array.new(count) { |i| task.async { block.call(owner, i) } }.map(&:wait) }
  end

  def settle(future)
    future.complete(yield)
  rescue Exception => error
    future.complete_exceptionally(error.to_java(java.lang.Throwable))
  end
end
