# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require_relative "log"
require_relative "request_task"

module Jruvoy
  # Fibers that serve one request after the other: making one costs several times what a
  # request does. Each is an Async task, so that handlers have a current task.
  class FiberPool
    # Requests that a fiber serves; then another takes its place. The first ones are made before the JVM has compiled
    # what they begin with, and keep it as it was: every switch to them is slower than to one that is made later.
    REQUESTS_MAX = 100

    # @parameter scheduler [Scheduler] Where the fibers live.
    # @parameter requests [Requests] Where idle fibers wait for the next request.
    # @parameter adapter [Adapter] What a fiber does with a request.
    def initialize(scheduler, requests, adapter)
      @scheduler = scheduler
      @requests = requests
      @adapter = adapter
    end

    # Serve a request on a new fiber, because none is idle. Called by the loop.
    # @parameter request [Request]
    def start(request)
      RequestTask.run(@scheduler) { |task| work(task, request) }
    end

    private

    def work(task, request)
      served = 0
      while request
        serve(request)
        @requests.clear_fiber
        # A child that would not end keeps its parent: the next request gets another fiber.
        break unless leave(task, request)

        request = nil
        break if (served += 1) == REQUESTS_MAX

        request = @requests.take
      end
    ensure
      # Thread.exit and its like end the fiber without an exception, and would end the loop.
      return request&.abandon # rubocop:disable Lint/EnsureReturn
    end

    def serve(request)
      @adapter.call(request)
    rescue Exception => error # A cancel that came while the adapter cleaned up.
      Log.error("a request was given up", error) unless error.is_a?(Cancelled)
      request.abandon
    end

    def leave(task, request)
      stopped = task.leave
      Log.warn("#{request.label} left #{stopped} tasks, which were stopped with it") if stopped.positive?
      !task.children?
    end
  end
end
