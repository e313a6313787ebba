# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"

describe Process do
  include OnLoop

  it "lets the other fibers run while one waits for a child" do
    status = beside_turns do |task, turns|
      reader, writer = IO.pipe
      pid = spawn("read line; exit 2", in: reader)
      task.async { turns.await && writer.close }
      [subject.wait(pid) == pid, $?.exitstatus]
    end

    expect(status).to be == [true, 2]
  end

  it "gives the status with the child" do
    pid, status = on_loop { subject.wait2(spawn("exit 3")) }

    expect(status.pid).to be == pid
    expect(status.exitstatus).to be == 3
  end

  it "waits for any child, and for none" do
    found = beside_turns do |task, turns|
      reader, writer = IO.pipe
      pid = spawn("cat", in: reader)
      task.async { turns.await && writer.close }
      subject.wait == pid
    end

    expect(found).to be == true
    expect(on_loop { raised(Errno::ECHILD) { subject.wait } }).to be_a(Errno::ECHILD)
  end

  it "waits for a child of its group, and for all of them" do
    found = beside_turns do |task, turns|
      reader, writer = IO.pipe
      pids = [spawn("cat", in: reader), spawn("cat; exit 3", in: reader)]
      task.async { turns.await && writer.close }
      first = subject.wait2(0).first
      [pids - [first], subject.waitall.map { |pid, status| [pid, status.pid, status.exitstatus.class] }, first]
    end

    left = found.first
    expect(left.size).to be == 1
    expect(found[1]).to be == [[left.first, left.first, Integer]]
    expect(on_loop { subject.waitall }).to be == []
  end

  it "gives a status and leaves the last one alone" do
    statuses = beside_turns do |task, turns|
      system("exit 7")
      reader, writer = IO.pipe
      pid = spawn("read line; exit 2", in: reader)
      task.async { turns.await && writer.close }
      [subject::Status.wait(pid), $?].map(&:exitstatus)
    end

    expect(statuses).to be == [2, 7]
  end

  it "waits for children only, and for those that have ended already" do
    errors = on_loop do
      pid = spawn("exit 4")
      sleep(0.001) until File.read("/proc/#{pid}/stat").include?(") Z ")
      ended = subject.wait2(pid).last.exitstatus
      [ended, *[subject.pid, 1, pid].map { |other| raised(Errno::ECHILD) { subject.wait(other) }.class }]
    end

    expect(errors).to be == [4, Errno::ECHILD, Errno::ECHILD, Errno::ECHILD]
  end

  it "takes no child when it is cancelled" do
    reader, writer = IO.pipe
    ended = on_loop do |task|
      pid = spawn("read line; exit 5", in: reader)
      waits = [-> { subject.wait }, -> { subject.wait(0) }, -> { subject.wait(pid) }, -> { subject.waitall }]
      cancelled = waits.map { |wait| task.async { wait.call } }
      3.times { task.yield }
      sleep(0.05) # The helper threads wait, too.
      cancelled.each(&:stop).each(&:wait)
      writer.close
      subject.wait2(pid).last.exitstatus
    end

    expect(ended).to be == 5
  end

  it "lets a thread look after a child" do
    status = beside_turns do |task, turns|
      reader, writer = IO.pipe
      watcher = subject.detach(spawn("read line; exit 6", in: reader))
      task.async { turns.await && writer.close }
      watcher.value.exitstatus
    end

    expect(status).to be == 6
  end

  it "looks without waiting" do
    on_loop do
      reader, writer = IO.pipe
      pid = spawn("cat", in: reader)
      expect(subject.wait(pid, Process::WNOHANG)).to be_nil
      writer.close
      expect(subject.wait(pid)).to be == pid
    end
  end
end
