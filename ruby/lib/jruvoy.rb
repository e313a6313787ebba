# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

# Ruby inside Envoy: the gem that serves a Rack app from an owner's loop. Java makes the
# runtime and calls {Jruvoy::Boot}; the rest is loaded when the app's gems are known.
module Jruvoy
  VERSION = "0.1.0"
end

require_relative "jruvoy/failures"
require_relative "jruvoy/boot"
