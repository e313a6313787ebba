# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

module Jruvoy
  module Hooks
    # Closing an IO ends the waits of the fibers that wait for it, on whichever owner. A command's IO waits for the end
    # of the command, on a helper thread.
    module Close
      # @asynchronous Parks the fiber where there is a command.
      # @raises [IOError] In the fibers that wait for the IO.
      def close
        return super if closed?

        Owner.closing(self)
        pid ? Offload.call { super } : super
      end
    end

    IO.prepend(Close)
  end
end
