# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

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

  it "knows what JRuby hands to the scheduler itself" do
    expect(Jruvoy::Hooks.native).to be(:empty?)
    expect(Jruvoy::Probe.reaching(%i[sleep read timeout])).to be == %i[sleep read timeout]
  end
end
