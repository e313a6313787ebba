# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "jruvoy/boot"
require "jruvoy/self_check"

describe Jruvoy::SelfCheck do
  it "finds this Ruby in order" do
    expect { subject.run! }.not.to raise_exception
  end

  it "names what blocks the owner, in one line" do
    mock(Jruvoy::Probe) { |probe| probe.replace(:reaching) { |names, **| names - %i[queue mutex] } }

    expect { subject.run! }.to raise_exception(
      Jruvoy::SelfCheck::Error,
      message: be =~ /\AJRuby \S+ does not fit this Jruvoy: mutex blocks .*; queue blocks the owner\z/
    )
  end

  it "names what has changed inside JRuby" do
    mock(Jruvoy::Owner) { |owner| owner.replace(:missing_internals) { ["the state of a fiber has changed (why)"] } }

    expect { subject.run! }.to raise_exception(
      Jruvoy::SelfCheck::Error, message: be =~ /\AJRuby \S+ does not .*: the state of a fiber has changed \(why\)\z/
    )
  end

  it "keeps the server from starting" do
    mock(Jruvoy::Gems) { |gems| gems.replace(:new) { Struct.new(:activate).new } }
    mock(Jruvoy::SelfCheck) do |check|
      check.replace(:run!) { raise Jruvoy::SelfCheck::Error, "queue blocks the owner" }
    end
    port = Struct.new(:home, :gem_path, :gemfile, :app_root, :told) do
      def failed(line) = self.told = line
    end.new("/home", [], nil, "/app")
    Jruvoy::Boot.run(port)

    expect(port.told).to be(:end_with?, "queue blocks the owner (Jruvoy::SelfCheck::Error)")
  end

  it "knows what JRuby hands to the scheduler itself" do
    expect(Jruvoy::Hooks.native).to be(:empty?)
    expect(Jruvoy::Probe.reaching(%i[sleep read timeout])).to be == %i[sleep read timeout]
  end
end
