# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

module Jruvoy
  # Interrupts a handler whose request is over: the client has gone, a deadline has passed,
  # the server stops. Not a StandardError, so that `rescue => error` does not swallow it.
  class Cancelled < Exception
  end

  # What an app returned is no response that could be sent.
  class InvalidResponse < StandardError
  end

  # The app's gems and the server's do not go together.
  class GemConflict < LoadError
  end
end
