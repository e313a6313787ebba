# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require_relative "log"

module Jruvoy
  # rack.errors: whole lines to Envoy's log. One for all requests of an app.
  class Errors
    def initialize
      @rest = "".b # Bytes: texts come in any encoding, also in none.
    end

    # Write values as lines, as `IO#puts` does.
    # @parameter values [Array]
    # @returns [Nil]
    def puts(*values)
      return write("\n") if values.empty?

      values.flatten.each { |value| write(value.to_s.end_with?("\n") ? value : "#{value}\n") }
      nil
    end

    # Write text; a line leaves when it is whole.
    # @parameter texts [Array(String)]
    # @returns [Integer] Bytes.
    def write(*texts)
      texts.sum { |text| append(text.to_s) }
    end

    # Write text.
    # @returns [Errors] itself.
    def <<(text)
      write(text)
      self
    end

    # Let the rest of a line leave.
    # @returns [Errors] itself.
    def flush
      unless @rest.empty?
        rest, @rest = @rest, "".b
        Log.app(rest)
      end
      self
    end

    private

    def append(text)
      @rest << text.b
      lines = @rest.split("\n", -1)
      @rest = lines.pop || "".b
      lines.each { |line| Log.app(line) }
      text.bytesize
    end
  end
end
