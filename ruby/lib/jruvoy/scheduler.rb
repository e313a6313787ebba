# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require_relative "log"
require_relative "selector"

# Without its native selector io-event warns at load; ours takes its place.
verbose, $VERBOSE = $VERBOSE, nil
begin
  require "io/event"
ensure
  $VERBOSE = verbose
end

require "async"

module Jruvoy
  # Async's scheduler over an owner's selector. Async ends its loop when a task ends by an
  # exception that is no StandardError: here other requests live on that loop, and go on.
  class Scheduler < Async::Reactor
    # Turns in a row that may fail: then it is the loop itself that is broken.
    FAILURES = 100

    # @parameter selector [Selector] The selector of the calling thread.
    def initialize(selector)
      super(nil, selector: selector)
      @timers = Timers.new
      @failures = 0
    end

    # One turn of the loop.
    # @returns [Boolean] Whether there is more to do.
    def run_once(...)
      more = super
      deliver if Thread.pending_interrupt?
      @failures = 0
      more
    rescue Exception, Java::JavaLang::Throwable => error
      Kernel.raise(error) if (@failures += 1) > FAILURES # A scheduler has a raise of its own.

      Log.error("a task of the app", error)
      true
    end

    # Run the loop. What other threads raise in its own one (a thread of the app that exits, for one) waits for the end
    # of a turn: it would end the loop anywhere else.
    def run(...)
      Thread.handle_interrupt(Exception => :never) { super }
    end

    private

    def deliver
      Thread.handle_interrupt(Exception => :immediate) { Thread.pass }
    end

    # Async ends its loop, too, when something is to be raised in its thread.
    def interrupted?
      @interrupted.tap { @interrupted = false }
    end
  end

  # Gives every reactor our selector: io-event's own, on JRuby, reads foreign memory.
  module SelectorChoice
    # @returns [Class] The class of the selector that a reactor makes for itself.
    def default(env = ENV)
      env["IO_EVENT_SELECTOR"] ? super : Selector
    end
  end

  IO::Event::Selector.singleton_class.prepend(SelectorChoice)
end
