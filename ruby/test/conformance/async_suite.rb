# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

# Runs files of async's own test suite on an owner, one after the other in one process.
#
#   async_suite.rb RESULTS FILE...
#
# Appends a line per file to RESULTS: name, passed, failed, errored, skipped. The process
# is in the suite's folder. A file that takes longer than its limit gets `hang` there, and
# the process ends with status 99, to be started again with the files that are left.

require "jruvoy/scheduler"
require "jruvoy/hooks"
require "async/barrier"
require "sus/config"
require "sus"
require_relative "mock_in_fibers"

LIMIT = Integer(ENV.fetch("JRUVOY_TEST_LIMIT", "30"))
HUNG = 99

results, *files = ARGV
ARGV.clear

record = lambda do |*columns|
  File.write(results, "#{columns.join(" ")}\n", mode: "a")
end

watched = java.util.concurrent.atomic.AtomicReference.new
watchdog = java.lang.Thread.new do
  loop do
    java.lang.Thread.sleep(200)
    file, deadline = watched.get
    next if file.nil? || Process.clock_gettime(Process::CLOCK_MONOTONIC) < deadline

    record.call(file, "hang")
    java.lang.Runtime.runtime.halt(HUNG)
  end
end
watchdog.daemon = true
watchdog.start

verbose = ENV["JRUVOY_TEST_VERBOSE"]

# Some tests of the suite compare durations of a few milliseconds: not with code that runs
# for the first time.
deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 3
Sync do |task|
  until Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline
    begin
      barrier = Async::Barrier.new
      task.with_timeout(0.002) do
        5.times { |i| barrier.async { sleep(i * 0.0005) } }
        barrier.wait(&:wait)
      end
    rescue Async::TimeoutError
      barrier.stop
    end
  end
end

files.each do |file|
  watched.set([file, Process.clock_gettime(Process::CLOCK_MONOTONIC) + LIMIT])
  config = Sus::Config.load(arguments: [file])
  assertions = Sus::Assertions.default(output: verbose ? config.output : Sus::Output::Null.new)
  config.before_tests(assertions)
  config.registry.call(assertions)
  config.after_tests(assertions) if verbose || !assertions.passed?
  record.call(file, *%i[passed failed errored skipped].map { |kind| assertions.public_send(kind).size })
rescue Exception => error # A file that cannot be loaded is one failure, not the end of the run.
  warn "#{file}: #{error.full_message(highlight: false)}"
  record.call(file, 0, 0, 1, 0)
end
watched.set(nil)
$stdout.flush
java.lang.Runtime.runtime.halt(0)
