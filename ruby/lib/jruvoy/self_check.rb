# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require_relative "hooks"
require_relative "scheduler"

module Jruvoy
  # Refuses to serve when this JRuby would block the owner, or when something inside it that
  # we lean on has changed.
  module SelfCheck
    # What was found; its message is one line.
    class Error < RuntimeError; end

    # Seconds. The process may stand still for so long without being found wrong.
    PAUSE = 1

    # Check, in less than a tenth of a second.
    # @raises [Error]
    def self.run!
      experimental = Warning[:experimental]
      Warning[:experimental] = false # IO::Buffer
      problems = blocking + [foreign_bytes, lost_fiber, deaf_wait].compact + Owner.missing_internals.to_a
      return if problems.empty?

      raise Error, "JRuby #{JRUBY_VERSION} does not fit this Jruvoy: #{problems.join("; ")}"
    ensure
      Warning[:experimental] = experimental
    end

    # @returns [Array(String)] Operations that would block the owner.
    def self.blocking
      names = Probe::OPERATIONS.keys - [:io_close] # Blocks nobody; see deaf_wait.
      (names - Probe.reaching(names, limit: PAUSE)).map { |name| "#{name} blocks the owner" }
    end

    # Read through the selector what was written to a pipe.
    # @returns [String | Nil] What is wrong.
    def self.foreign_bytes
      input, output = IO.pipe
      selector = Selector.new(Fiber.current)
      output.syswrite("jruvoy")
      buffer = IO::Buffer.new(16)
      count = selector.io_read(Fiber.current, input, buffer, 0, 2)
      "IO#read returns foreign bytes" unless count == 6 && buffer.get_string(2, 6) == "jruvoy"
    ensure
      [selector, input, output].compact.each(&:close)
    end

    # Raise an exception in a fiber that waits, which then waits again.
    # @returns [String | Nil] What is wrong.
    def self.lost_fiber
      loop_fiber = Fiber.current
      fiber = Fiber.new do
        loop_fiber.transfer
      rescue Error
        loop_fiber.transfer(:waiting_again)
      end
      fiber.transfer
      answer = fiber.raise(Error, "probe")
      fiber.transfer
      "Fiber#raise loses the fiber" unless answer == :waiting_again
    rescue FiberError => error
      "Fiber#raise loses the fiber (#{error.message})"
    end

    # Close an IO that a fiber waits for.
    # @returns [String | Nil] What is wrong.
    def self.deaf_wait
      input, output = IO.pipe
      selector = Selector.new(Fiber.current)
      told = false
      waiter = Fiber.new(blocking: true) do
        selector.io_wait(Fiber.current, input, IO::READABLE)
      rescue IOError
        told = true
      end
      waiter.transfer
      input.close
      selector.select(0)
      "IO#close does not end the waits of others" unless told
    ensure
      [selector, output].compact.each(&:close)
    end

    private_class_method :blocking, :foreign_bytes, :lost_fiber, :deaf_wait
  end
end
