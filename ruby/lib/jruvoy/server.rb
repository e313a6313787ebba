# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "rack"
require_relative "scheduler"
require_relative "hooks"
require_relative "adapter"
require_relative "door"
require_relative "errors"
require_relative "fiber_pool"

module Jruvoy
  # Serves one app on the calling thread, an owner: its loop is the root fiber, its requests
  # are the tasks of a scheduler. Owners of one app share nothing here but the app.
  class Server
    # Seconds that cancelled handlers have for their clean-up when the app stops.
    PATIENCE = 5

    # @parameter app [Object] What the rackup returned.
    # @parameter port [Java::JruvoyOwner::OwnerPort] The way to the Java side.
    def initialize(app, port)
      @app = app
      @port = port
    end

    # Serve until the app must stop and its last request is over.
    def run
      selector = Selector.new(Fiber.current, @port.source)
      scheduler = Scheduler.new(selector)
      requests = @port.requests(selector)
      requests.errors = Errors.new
      requests.pool = FiberPool.new(scheduler, requests, adapter = Adapter.new(@app))
      requests.serve_on(threads = ThreadPool.new(@port.threads, "request"), adapter) if @port.threaded
      scheduler.run { live(scheduler, requests) }
    ensure
      threads&.close
      scheduler&.close # Ends what is left: tasks of the app, handlers that would not go.
    end

    private

    def live(scheduler, requests)
      @port.ready
      requests.await_stop
      Async::Task.current.with_timeout(PATIENCE) { requests.await_idle }
    rescue Async::TimeoutError
      Log.warn("handlers that did not end when they were cancelled are stopped")
    ensure
      scheduler.interrupt
    end
  end
end
