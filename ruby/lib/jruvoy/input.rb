# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

module Jruvoy
  # rack.input: the request's body while it arrives. Waiting parks only the calling fiber.
  class Input
    # @parameter request [Request] Whose body is read.
    def initialize(request)
      @request = request
      @rest = nil # What a line left over of a chunk.
      @closed = false
    end

    # Read bytes.
    # @asynchronous Parks the fiber until there are as many, or the end is there.
    # @parameter length [Integer | Nil] At most so many bytes, all for nil.
    # @parameter buffer [String | Nil] Filled with the bytes and returned.
    # @returns [String | Nil] Binary; at the end nil, or "" when no length or 0 was given.
    # @raises [IOError] After {close}.
    def read(length = nil, buffer = nil)
      check
      buffer&.clear # Fails before anything is read if the buffer is frozen.
      data = length ? read_exactly(size_of(length)) : read_all
      return data unless buffer

      buffer.replace(data || "".b)
      data && buffer
    end

    # Read what is there, at least one byte, as `IO#readpartial` does.
    # @asynchronous
    # @returns [String] Binary; "" when 0 bytes were asked for.
    # @raises [EOFError] At the end.
    def readpartial(length, buffer = nil)
      check
      buffer&.clear
      size = size_of(length)
      data = size.zero? ? "".b : some(size)
      raise EOFError, "end of file reached" unless data

      buffer ? buffer.replace(data) : data
    end

    # Read a line.
    # @asynchronous
    # @returns [String | Nil] With its newline if it has one; nil at the end.
    def gets
      check
      line = nil
      while (chunk = some)
        at = chunk.index("\n")
        @rest = chunk.byteslice(at + 1, chunk.bytesize) if at && at + 1 < chunk.bytesize
        piece = at ? chunk.byteslice(0, at + 1) : chunk
        line = line ? line << piece : +piece
        break if at
      end
      line
    end

    # Read all that is left, as it arrives.
    # @asynchronous
    # @yields {|chunk| ...} A String that is not empty.
    def each
      return to_enum unless block_given?

      check
      while (chunk = some)
        yield chunk
      end
      self
    end

    # Say that the rest is not wanted.
    def close
      return if @closed

      @closed = true
      @request.refuse_body
      nil
    end

    # Whether {close} was called.
    def closed?
      @closed
    end

    # Bytes are what they are.
    # @returns [Encoding]
    def external_encoding
      Encoding::BINARY
    end

    # No newline is ever changed.
    # @returns [Boolean]
    def binmode?
      true
    end

    private

    def check
      raise IOError, "closed stream" if @closed
    end

    def some(limit = nil)
      return @request.read_some(limit) unless @rest

      rest, @rest = @rest, nil
      if limit && limit < rest.bytesize
        @rest = rest.byteslice(limit, rest.bytesize)
        rest = rest.byteslice(0, limit)
      end
      rest
    end

    def read_all
      data = some or return "".b
      while (chunk = some)
        data << chunk
      end
      data
    end

    def size_of(length)
      raise TypeError, "no implicit conversion of #{length.class} into Integer" unless length.respond_to?(:to_int)

      size = length.to_int
      raise ArgumentError, "negative length #{size} given" if size.negative?

      size
    end

    def read_exactly(length)
      return "".b if length.zero?

      data = some(length) or return nil
      while data.bytesize < length && (chunk = some(length - data.bytesize))
        data << chunk
      end
      data
    end
  end
end
