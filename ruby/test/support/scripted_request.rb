# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "jruvoy/failures"

# Stands in for {Jruvoy::Request}: a body in pieces, and a record of what it was told.
class ScriptedRequest
  attr_reader :told, :sent, :env, :callbacks
  attr_accessor :closed

  # @parameter pieces [Array(String)] What arrives of the request's body, piece by piece.
  # @parameter head [Boolean] Whether it is a HEAD request.
  def initialize(pieces: [], head: false)
    @pieces = pieces.map(&:b)
    @head = head
    @told = []
    @sent = +"".b
    @env = {}
    @callbacks = []
    @closed = false
  end

  # @parameter response [Array] What the app returned.
  def complete(response)
    @status, @headers, @body = response
    raise Jruvoy::InvalidResponse, "odd" unless response.is_a?(Array)

    false
  end
  attr_reader :status, :headers, :body

  def hijack = @headers&.fetch("rack.hijack", nil)
  def content_length = @headers["content-length"]&.to_i
  def head? = @head
  def bodiless? = @head || @status == 204
  def closed? = @closed
  def label = "GET /scripted"
  def input = @input ||= Jruvoy::Input.new(self)

  def read_some(limit)
    piece = @pieces.shift or return nil
    return piece if limit.nil? || piece.bytesize <= limit

    @pieces.unshift(piece.byteslice(limit, piece.bytesize))
    piece.byteslice(0, limit)
  end

  def refuse_body = @told << :refuse_body

  def begin(length)
    @told << [:begin, length]
    self
  end

  def write(text)
    raise Errno::EPIPE if @closed
    raise TypeError, "a #{text.class}" unless text.is_a?(String)

    @sent << text.b
    text.bytesize
  end

  def flush = @told << :flush
  def finish = (@told << :finish; nil)
  def fail = @told << :fail
  def release = @told << :release
  def abandon = @told << :abandon
  def await_finish = @told << :await_finish
  def send_file(path) = (@told << [:send_file, path]; true)
end
