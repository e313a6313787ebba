# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require_relative "body"
require_relative "log"

module Jruvoy
  # Calls the app for a request and keeps Rack's promises about what follows: the body is
  # closed once, callbacks run, an error costs this request and nothing else.
  class Adapter
    # @parameter app [Object] Answers `call(env)`.
    def initialize(app)
      @app = app
    end

    # Answer a request.
    # @asynchronous
    # @parameter request [Request]
    def call(request)
      error = nil
      close = true
      begin
        return if request.complete(@app.call(request.env))

        close = Body.send(request)
      rescue Exception, Java::JavaLang::Throwable => error # Even exit must not end the server.
        failed(request, error)
      end
      finish(request, close, error)
    end

    private

    def failed(request, error)
      Log.error(request.label, error) unless expected?(request, error)
      request.fail
    end

    # A request that is over makes writers fail: that is no news.
    def expected?(request, error)
      error.is_a?(Cancelled) || (request.closed? && (error.is_a?(IOError) || error.is_a?(SystemCallError)))
    end

    def finish(request, close, error)
      guard(request) { request.body.close } if close && request.body.respond_to?(:close)
      callbacks = request.callbacks
      error = nil unless error.is_a?(Exception)
      callbacks&.reverse_each do |callback|
        guard(request) { callback.call(request.env, request.status, request.headers, error) }
      end
    ensure
      request.release
    end

    def guard(request)
      yield
    rescue Exception => error
      Log.error(request.label, error) unless expected?(request, error)
    end
  end
end
