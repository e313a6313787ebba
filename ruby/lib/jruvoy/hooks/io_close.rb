# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

module Jruvoy
  module Hooks
    # Closing an IO ends the waits of the fibers that wait for it, on whichever owner.
    module Close
      # @raises [IOError] In those fibers.
      def close
        Owner.closing(self) unless closed?
        super
      end
    end

    IO.prepend(Close)
  end
end
