# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require_relative "nonblock"

module Jruvoy
  module Hooks
    # Reads past Ruby's buffer. JRuby does that in Java; what reads in part goes to the scheduler and, where the buffer
    # is empty, does the same.
    module Sysread
      # IO's own, whatever a subclass makes of it.
      READ = IO.instance_method(:readpartial)

      # @asynchronous Parks the fiber until there is something to read.
      # @parameter length [Integer] How many bytes at most.
      # @parameter buffer [String] Takes the bytes, if given.
      # @returns [String]
      # @raises [EOFError] At the end.
      # @raises [IOError] When Ruby has read ahead.
      def sysread(length, *buffer)
        return super if Nonblock.selector.nil? || Owner.read_ahead?(self)

        READ.bind_call(self, length, *buffer)
      end
    end

    IO.prepend(Sysread)
  end
end
