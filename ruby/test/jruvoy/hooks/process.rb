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
