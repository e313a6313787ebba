# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require_relative "stream"

module Jruvoy
  # Sends the body of a response in the way its kind asks for. It never closes a body: that
  # is the adapter's, on every path.
  module Body
    # @asynchronous
    # @parameter request [Request] With a response that was checked and has not begun.
    # @returns [Boolean] Whether the body still must be closed: `to_ary` does that itself.
    def self.send(request)
      body = request.body
      return hijack(request) if request.hijack && !request.head?
      return headless(request) if request.bodiless?
      return array(request, body) if body.is_a?(Array)
      return to_ary(request, body) if body.respond_to?(:to_ary)
      return true if body.respond_to?(:to_path) && file(request, body)
      return each(request, body) if body.respond_to?(:each)
      return call(request, body) if body.respond_to?(:call)

      raise InvalidResponse, "the body is a #{body.class}, which has neither each nor call"
    end

    # HEAD and the statuses that have no content.
    def self.headless(request)
      request.begin(nil)
      request.finish
      true
    end

    def self.array(request, parts)
      unless parts.all?(String)
        odd = parts.find { |part| !part.is_a?(String) }
        raise InvalidResponse, "the body has a #{odd.class} in it"
      end
      request.begin(parts.sum(&:bytesize))
      parts.each { |part| request.write(part) }
      request.finish
      true
    end

    # @returns [Boolean] false: a body that answers to_ary has closed itself.
    def self.to_ary(request, body)
      parts = body.to_ary
      parts.is_a?(Array) ? array(request, parts) && false : each(request, body)
    end

    def self.file(request, body)
      path = body.to_path or return false
      length = request.content_length
      return false unless request.status == 200 && File.file?(path) && File.readable?(path)
      return false if length && length != File.size(path)

      request.send_file(path)
    end

    def self.each(request, body)
      request.begin(nil)
      body.each { |chunk| request.write(chunk) }
      request.finish
      true
    end

    def self.call(request, body)
      request.begin(nil)
      stream = Stream.new(request)
      body.call(stream)
      stream.close_write
      true
    end

    # The callable may leave the stream to somebody else: the response ends with the stream.
    def self.hijack(request)
      request.begin(nil)
      stream = Stream.new(request)
      request.hijack.call(stream)
      request.await_finish unless stream.write_closed?
      true
    end

    private_class_method :headless, :array, :to_ary, :file, :each, :call, :hijack
  end
end
