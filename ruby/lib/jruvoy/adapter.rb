# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require_relative "body"
require_relative "log"
require_relative "selector"

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
      close = true
      error = :left # Until it is known better: Thread.exit raises nothing.
      begin
        return if (whole = request.complete(@app.call(request.env)))

        close = Body.send(request)
        error = nil
      rescue Exception, Java::JavaLang::Throwable => error # Even exit must not end the server.
        failed(request, error)
      ensure
        finish(request, close, error) unless whole
      end
    end

    private

    def finish(request, close, error)
      failed(request, error = ThreadError.new("the handler has ended its thread")) if error == :left
      guard(request) { request.body.close } if close && request.body.respond_to?(:close)
      call_back(request, error.is_a?(Exception) ? error : nil)
    ensure
      request.release
    end

    def failed(request, error)
      Log.error(request.label, error) unless expected?(request, error)
      request.fail
    end

    # A request that is over makes writers fail: that is no news.
    def expected?(request, error)
      error.is_a?(Cancelled) || (request.closed? && (error.is_a?(IOError) || error.is_a?(SystemCallError)))
    end

    def call_back(request, error)
      request.callbacks&.reverse_each do |callback|
        guard(request) { callback.call(request.env, request.status, request.headers, error) }
      end
    end

    # What the app does at its end keeps nothing from what comes after it.
    def guard(request, &)
      Owner.contain_exit(&)
    rescue Exception, Java::JavaLang::Throwable => error
      Log.error(request.label, error) unless expected?(request, error)
    end
  end
end
