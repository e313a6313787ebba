# SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require "digest"

# A response body that reads the request body while it arrives and says how far it is, at last size and digest.
class Receipt
  CHUNK = 64 * 1024
  STEP = 16 * 1024 * 1024

  # @parameter input [IO] The request body, or nil.
  def initialize(input)
    @input = input
  end

  # Reads one chunk after the other; reading waits for the client without holding up anyone else.
  # @yields [String] A line.
  def each
    digest = Digest::SHA256.new
    size = 0
    while (chunk = @input&.read(CHUNK))
      digest << chunk
      steps = size / STEP
      size += chunk.bytesize
      yield "#{size} bytes so far\n" if size / STEP > steps
    end
    yield "#{size} bytes, SHA-256 #{digest.hexdigest}\n"
  end
end
