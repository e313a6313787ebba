# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "jruvoy/rackup"
require "tmpdir"

# A rackup that cannot be loaded is told in one line.
describe Jruvoy::Rackup do
  def error(klass = RuntimeError, message: "no luck", trace: [])
    klass.new(message).tap { |made| made.set_backtrace(trace) }
  end

  it "names file, line, cause and class" do
    trace = ["/gems/x/lib/x.rb:3:in 'go'", "/app/config.ru:12:in 'block'"]
    expect(subject.describe(error(trace: trace), "/app")).to be == "config.ru:12: no luck (RuntimeError)"
  end

  it "skips the machinery that loads" do
    trace = ["org/jruby/RubyKernel.java:1:in 'require'", "/g/lib/rubygems/core_ext/kernel_require.rb:2", "/lib/a.rb:7"]
    expect(subject.describe(error(trace: trace), "/app")).to be == "/lib/a.rb:7: no luck (RuntimeError)"
  end

  it "is one short line whatever the message" do
    long = error(message: "first\nsecond \xff".b + "x" * 5000)
    expect(subject.describe(long, "/app")).to be == "first (RuntimeError)"
    expect(subject.describe(error(message: "x" * 5000), "/app").size).to be == 1000
    expect(subject.describe(error(message: ""), "/app")).to be == " (RuntimeError)"
  end

  it "leaves nothing of Rack to be loaded in a request" do
    require "rack"
    Dir.mktmpdir do |folder|
      path = File.join(folder, "config.ru")
      File.write(path, "run ->(_env) { [204, {}, []] }")
      expect(subject.load(path).call({}).first).to be == 204
    end
    expect(Rack.constants.select { |name| Rack.autoload?(name) }).to be == []
  end

  it "says what cannot be called" do
    Dir.mktmpdir do |folder|
      path = File.join(folder, "config.ru")
      File.write(path, "run 42")
      expect { subject.load(path) }.to raise_exception(TypeError, message: be =~ /answer call: Integer/)
    end
  end

  it "names a file that is not there" do
    expect { subject.load("/no/such.ru") }.to raise_exception(LoadError, message: be =~ %r{/no/such.ru})
  end
end
