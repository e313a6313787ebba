# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"
require "tmpdir"

describe Kernel, unique: "require" do
  include OnLoop

  # Write a file of Ruby, and run the block with what require takes for it.
  def with_file(name, text)
    Dir.mktmpdir do |folder|
      File.write(File.join(folder, "#{name}.rb"), text)
      yield File.join(folder, name)
    end
  end

  it "loads a file that waits, for two fibers" do
    with_file("waits", "sleep 0.05\nmodule WaitsWhileLoading; end\n") do |file|
      results, count = beside_turns do |task, turns|
        [Array.new(2) { task.async { require file } }.map(&:wait), turns.count]
      end

      expect(results.sort_by(&:to_s)).to be == [false, true]
      expect(count).to be > 0
      expect(defined?(WaitsWhileLoading)).to be == "constant"
    end
  end

  it "loads a file that loads another one" do
    with_file("inner", "INNER = 1\n") do |inner|
      with_file("outer", "require #{inner.inspect}\nOUTER = INNER + 1\n") do |outer|
        expect(on_loop { require outer }).to be == true
        expect(on_loop { [require(inner), require(outer)] }).to be == [false, false]
        expect(OUTER).to be == 2
      end
    end
  end

  it "raises what loading raises, and loads again" do
    with_file("fails", "raise IOError, 'not yet' unless defined?(LOADS)\n") do |file|
      expect(on_loop { raised(IOError) { require file } }.message).to be == "not yet"
      Object.const_set(:LOADS, true)
      expect(on_loop { require file }).to be == true
    end
    expect(on_loop { raised(LoadError) { require "no/such/file" } }).to be_a(LoadError)
  end

  it "loads what a constant wants that loads itself, in one fiber and in several" do
    with_file("inner_wanted", "INNER_WANTED = 1\n") do |inner|
      with_file("wanted", "require #{inner.inspect}\nmodule Wanted; VALUE = INNER_WANTED + 1; end\n") do |file|
        Object.autoload(:Wanted, file)

        expect(on_loop { |task| Array.new(3) { task.async { Wanted::VALUE } }.map(&:wait) }).to be == [2, 2, 2]
      end
    end
  end
end
