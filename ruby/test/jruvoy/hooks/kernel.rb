# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"

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

  it "keeps the statuses of fibers apart" do
    statuses = on_loop do |task|
      Array.new(6) do |i|
        task.async do
          i.even? ? system("sleep 0.0#{6 - i}; exit #{i}") : `sleep 0.0#{6 - i}; exit #{i}`
          sleep(0.05)
          $?.exitstatus
        end
      end.map(&:wait)
    end

    expect(statuses).to be == [0, 1, 2, 3, 4, 5]
  end

  it "takes a command in every form" do
    reader, writer = IO.pipe
    results = on_loop do
      [system({"ANSWER" => "42"}, "exit $ANSWER", out: writer), $?.exitstatus,
       system("sh", "-c", "pwd", chdir: "/", out: writer), Kernel.system("exit 1"), reader.gets,
       Kernel.`("echo kernel"), raised(Errno::ENOENT) { `/no/such/command` }.class,
       raised(Errno::ENOENT) { system("/no/such/command", exception: true) }.class]
    end

    expect(results).to be == [false, 42, true, false, "/\n", "kernel\n", Errno::ENOENT, Errno::ENOENT]
  end

  it "captures more than a pipe holds, byte for byte" do
    expect(on_loop { `head -c 300000 /dev/zero | tr '\\0' x` }).to be == "x" * 300_000
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
end
