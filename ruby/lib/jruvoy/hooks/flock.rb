# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

module Jruvoy
  module Hooks
    # Waits for the lock of a file on a helper thread; one that comes too late is given back.
    module Flock
      # @asynchronous Parks the fiber until the file is locked.
      # @returns [Integer | Boolean] 0; false when it must not wait and would have to.
      def flock(operation)
        return super if operation.anybits?(File::LOCK_NB | File::LOCK_UN)

        Offload.call(discard: ->(_) { flock(File::LOCK_UN) }) { super }
      end
    end

    File.prepend(Flock)
  end
end
