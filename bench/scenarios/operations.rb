# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "monitor"

# One method per operation, so that each is compiled alone. Each does it so many times.
module Operations
  # Nothing: what the loop costs, which is part of every other figure.
  def self.loop(times)
    at = 0
    at += 1 while at < times
  end

  # A block that is called: what `synchronize` costs besides the lock.
  def self.block(times)
    at = 0
    call { at += 1 } while at < times
  end

  # Mutex#synchronize that nobody else wants.
  def self.mutex(times)
    mutex = Mutex.new
    at = 0
    mutex.synchronize { at += 1 } while at < times
  end

  # Mutex#lock and #unlock that nobody else wants.
  def self.lock(times)
    mutex = Mutex.new
    at = 0
    while at < times
      mutex.lock
      mutex.unlock
      at += 1
    end
  end

  # Monitor#synchronize that nobody else wants.
  def self.monitor(times)
    monitor = Monitor.new
    at = 0
    monitor.synchronize { at += 1 } while at < times
  end

  # A push and a pop that needs not wait.
  def self.queue(times)
    queue = Thread::Queue.new
    at = 0
    while at < times
      queue << at
      queue.pop
      at += 1
    end
  end

  # Fiber#resume and Fiber.yield: two switches.
  def self.switch(times)
    fiber = Fiber.new { Fiber.yield while true }
    at = 0
    while at < times
      fiber.resume
      at += 1
    end
  end

  # A fiber that is made, run and over: two switches, too.
  def self.fiber(times)
    at = 0
    while at < times
      Fiber.new { nil }.resume
      at += 1
    end
  end

  # As switch, through the loop: the hook that does nothing but let others run.
  def self.yield(times)
    task = Async::Task.current
    at = 0
    while at < times
      task.yield
      at += 1
    end
  end

  # A task that is made, run and over.
  def self.task(times)
    parent = Async::Task.current
    at = 0
    while at < times
      parent.async { nil }
      at += 1
    end
  end

  # The shortest sleep: a timer and a turn of the loop.
  def self.sleep(times)
    at = 0
    while at < times
      Kernel.sleep(0)
      at += 1
    end
  end

  # scheduler.block in one task and unblock in another, without a primitive around them.
  def self.unblock(times)
    scheduler = Fiber.scheduler
    waiting = Fiber.current
    other = Async::Task.current.async do |task|
      task.yield while scheduler.unblock(:bench, waiting) || true
    end
    at = 0
    while at < times
      scheduler.block(:bench, nil)
      at += 1
    end
    other.stop
  end

  # Two tasks that hand a value to and fro by two queues: two waits and two wakes.
  def self.handover(times)
    there = Thread::Queue.new
    back = Thread::Queue.new
    other = Async::Task.current.async { back << 1 while there.pop }
    at = 0
    while at < times
      there << 1
      back.pop
      at += 1
    end
    there.close
    other.wait
  end

  # io_wait for a pipe that is ready.
  def self.ready(times)
    reader, writer = IO.pipe
    writer.write("x")
    at = 0
    while at < times
      reader.wait_readable
      at += 1
    end
    [reader, writer].each(&:close)
  end

  # A byte through a pipe, from one task to another and back: two waits for a descriptor.
  def self.pipe(times)
    (there, send), (back, answer) = IO.pipe, IO.pipe
    other = Async::Task.current.async { answer.write("x") while there.readpartial(1) && answer }
    at = 0
    while at < times
      send.write("x")
      back.readpartial(1)
      at += 1
    end
    other.stop
    [there, send, back, answer].each(&:close)
  end

  def self.call = yield
end
