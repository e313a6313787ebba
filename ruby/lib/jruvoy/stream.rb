# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require_relative "input"

module Jruvoy
  # What a streaming body or a partial hijack talks to: the request's body and the response's
  # as one two-way stream, with the semantics of a socket.
  class Stream
    # @parameter request [Request]
    def initialize(request)
      @request = request
      @input = request.input
      @writing = true
    end

    # See {Input#read}.
    def read(length = nil, buffer = nil)
      @input.read(length, buffer)
    end

    # See {Input#readpartial}.
    def readpartial(length, buffer = nil)
      @input.readpartial(length, buffer)
    end
    alias read_partial readpartial

    # See {Input#gets}.
    def gets
      @input.gets
    end

    # Write text.
    # @asynchronous Parks the fiber while the client is slow.
    # @returns [Integer] Bytes.
    # @raises [IOError] The stream was closed for writing.
    # @raises [Errno::EPIPE] The client has gone.
    def write(*texts)
      check
      texts.sum { |text| @request.write(text.to_s) }
    end

    # Write text.
    # @asynchronous
    # @returns [Stream] itself.
    def <<(text)
      write(text)
      self
    end

    # Send what was written, now.
    # @returns [Stream] itself.
    def flush
      check
      @request.flush
      self
    end

    # End both directions.
    def close(_error = nil)
      close_read
      close_write
      nil
    end

    # Say that nothing more will be read.
    def close_read
      @input.close
      nil
    end

    # End the response.
    def close_write(_error = nil)
      return unless @writing

      @writing = false
      @request.finish unless @request.closed?
      nil
    end

    # Whether both directions are closed.
    def closed?
      !@writing && @input.closed?
    end

    # Whether the response has been ended.
    def write_closed?
      !@writing
    end

    private

    def check
      raise IOError, "closed stream" unless @writing
    end
  end
end
