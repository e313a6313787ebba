# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "jruvoy/hooks"

describe IO::Buffer do
  let(:piece) { "before, piece, after".b.byteslice(8, 5) }

  it "begins where a piece of a string begins" do
    expect(IO::Buffer.for(piece).get_string).to be == "piece"
    expect(IO::Buffer.for(piece.dup.freeze) { |buffer| buffer.get_string }).to be == "piece"
  end

  it "writes to a piece of a string" do
    IO::Buffer.for(piece) { |buffer| buffer.set_string("P") }

    expect(piece).to be == "Piece"
  end
end
