# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require_relative "nonblock"

module Jruvoy
  module Hooks
    # IO.copy_stream from or to what may wait, a pipe or a socket: JRuby copies in Java, where no scheduler sees it.
    module CopyStream
      # Bytes that are read at a time, as in CRuby.
      CHUNK = 16 << 10

      # @asynchronous Parks the fiber while one of the two is slow.
      # @parameter length [Integer | Nil] How many bytes at most.
      # @parameter offset [Integer | Nil] Where in the file they begin.
      # @returns [Integer] How many bytes there were.
      def copy_stream(from, to, length = nil, offset = nil)
        return super unless Nonblock.selector && [from, to].any? { |side| CopyStream.waits?(side) }

        offset = nil if offset&.negative?
        CopyStream.open(from, "rb") do |source|
          CopyStream.open(to, "wb") { |target| CopyStream.bytes(source, target, length, offset) }
        end
      end

      # @returns [Boolean] Whether a side is an IO whose reads or writes may wait.
      def self.waits?(side) = side.is_a?(IO) && !(side.is_a?(File) && side.stat.file?)

      # The block with the IO that a side is, or whose path it is; with what is neither.
      def self.open(side, mode, &)
        path = String.try_convert(side) || (side.respond_to?(:to_path) && side.to_path)
        io = IO.try_convert(side) if path || side.is_a?(IO)
        path && !io ? File.open(path, mode, &) : yield(io || side)
      end

      # What a copy that is cancelled has read and not written goes back to an IO that it came from.
      # @asynchronous
      # @returns [Integer] How many bytes were copied.
      def self.bytes(source, target, length, offset)
        count = 0
        read = reader(source, offset)
        until count == length
          size = length&.positive? ? [CHUNK, length - count].min : CHUNK
          chunk = read.call(size, count) or break
          count += write(target, chunk) { |rest| source.ungetbyte(rest) if source.is_a?(IO) && !offset }
        end
        count
      ensure
        target.flush if target.is_a?(IO)
      end

      # @returns [Proc] Reads so many bytes after so many others; nil at the end.
      # @raises [ArgumentError] When there is no place to begin at.
      # @raises [Errno::ESPIPE]
      def self.reader(source, offset)
        raise ArgumentError, "cannot specify src_offset for non-IO" if offset && !source.is_a?(IO)
        raise Errno::ESPIPE, "pread" if offset && waits?(source)

        return ->(size, count) { ended { source.pread(size, offset + count) } } if offset
        return ->(size, _) { ended { source.readpartial(size, +"") } } if source.respond_to?(:readpartial)

        ->(size, _) { source.read(size, +"") }
      end

      # @returns [Object | Nil] The block's result; nil at the end.
      def self.ended
        yield
      rescue EOFError
        nil
      end

      # Write a chunk.
      # @asynchronous
      # @yields {|rest| ...} What could not be written, when that ends with an exception.
      # @returns [Integer] How many bytes the target says it has taken.
      def self.write(target, chunk)
        return target.write(chunk) unless waits?(target)

        rest = chunk
        until rest.empty?
          count = target.write_nonblock(rest, exception: false)
          count == :wait_writable ? target.wait_writable : rest = rest.byteslice(count..)
        end
        chunk.bytesize
      ensure
        yield rest if rest && !rest.empty?
      end
    end

    IO.singleton_class.prepend(CopyStream)
  end
end
