# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"
require "tmpdir"

describe Kernel do
  include OnLoop

  it "runs several commands at a time" do
    start = now
    results = on_loop { |task| Array.new(4) { task.async { system("sleep 2") } }.map(&:wait) }

    expect(results).to be == [true, true, true, true]
    expect(now - start).to be < 7
  end

  it "tells how a command ended" do
    results = on_loop do
      [system("exit 3"), $?.exitstatus, system("/no/such/command"),
       raised(RuntimeError) { system("exit 4", exception: true) }&.message]
    end

    expect(results.first(3)).to be == [false, 3, nil]
    expect(results.last).to be(:include?, "exit 4")
  end

  it "captures what a command writes" do
    output, count = beside_turns { |_, turns| [[`sleep 0.1; echo hi; exit 3`, $?.exitstatus], turns.count] }

    expect(output).to be == ["hi\n", 3]
    expect(count).to be > 0
  end

  it "ends a command that is cancelled" do
    reader, writer = IO.pipe
    pid = on_loop do |task|
      runner = task.async { system("echo $$; exec sleep 300", out: writer) }
      pid = Integer(reader.gets)
      runner.stop
      runner.wait
      pid
    end
    sleep(0.01) until gone?(pid)

    expect(pid).to be > 0
  end

  def gone?(pid)
    Process.kill(0, pid)
    false
  rescue Errno::ESRCH
    true
  end

  it "sleeps for the time that was asked for" do
    start = now
    on_loop { |task| Array.new(30) { task.async { sleep(1) } }.each(&:wait) }

    expect(now - start).to be >= 1
    expect(now - start).to be < 29 # One after the other takes 30.
  end

  it "loads a file that waits, for two fibers" do
    Dir.mktmpdir do |folder|
      File.write(File.join(folder, "waits.rb"), "sleep 0.05\nmodule WaitsWhileLoading; end\n")
      file = File.join(folder, "waits")
      results = on_loop { |task| Array.new(2) { task.async { require file } }.map(&:wait) }

      expect(results.sort_by(&:to_s)).to be == [false, true]
    end
  end
end
