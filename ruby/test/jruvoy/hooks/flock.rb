# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"
require "tempfile"

describe File do
  include OnLoop

  # The block with two files that are the same one, the first of them locked.
  def with_locked
    Tempfile.create("lock") do |holder|
      holder.flock(File::LOCK_EX)
      subject.open(holder.path) { |other| yield holder, other }
    end
  end

  it "lets the other fibers run while one waits for the lock" do
    with_locked do |holder, other|
      result = beside_turns do |task, turns|
        task.async { turns.await && holder.flock(File::LOCK_UN) }
        [other.flock(File::LOCK_EX | File::LOCK_NB), other.flock(File::LOCK_EX)]
      end

      expect(result).to be == [false, 0]
    end
  end

  it "gives a lock back that comes too late" do
    with_locked do |holder, other|
      on_loop do |task|
        waiter = task.async { other.flock(File::LOCK_EX) }
        3.times { task.yield }
        waiter.stop
        waiter.wait
        holder.flock(File::LOCK_UN)
        subject.open(holder.path) { |third| sleep(0.001) until third.flock(File::LOCK_EX | File::LOCK_NB) == 0 }
      end
    end
  end
end
