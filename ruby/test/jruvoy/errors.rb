# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "jruvoy/errors"

# rack.errors writes whole lines.
describe Jruvoy::Errors do
  let(:errors) { subject.new }
  let(:lines) { [] }

  def before
    seen = lines
    mock(Jruvoy::Log) { |log| log.replace(:app) { |line| seen << line } }
    super
  end

  it "puts lines" do
    errors.puts("a", ["b", nil], 3)
    errors.puts
    expect(lines).to be == ["a", "b", "", "3", ""]
  end

  it "holds text back until its line is whole, or flushed" do
    expect(errors.write("one ")).to be == 4
    expect(lines).to be(:empty?)
    errors << "line\nand" << " more"
    expect(lines).to be == ["one line"]
    errors.flush
    errors.flush
    expect(lines).to be == ["one line", "and more"]
  end

  it "takes any bytes" do
    errors.puts("\xff".b, "\u00e9", "\u00e9".encode("ISO-8859-1"))
    expect(lines.size).to be == 3
  end
end
