# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

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
  # Async's scheduler over an owner's selector.
  class Scheduler < Async::Reactor
    # @parameter selector [Selector] The selector of the calling thread.
    def initialize(selector)
      super(nil, selector: selector)
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
