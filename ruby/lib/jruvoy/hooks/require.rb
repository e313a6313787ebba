# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

module Jruvoy
  module Hooks
    # Loads files on a helper thread. A file that waits while it loads would keep JRuby's
    # lock of the feature, and a second fiber that wants it would block the owner. What a constant loads that loads
    # itself must stay on its fiber.
    module Require
      # @asynchronous Parks the fiber while the file loads.
      # @returns [Boolean] Whether the file was loaded now.
      def require(name)
        return super if Owner.loaded?(name)

        loaded = Fiber.current_scheduler && !Owner.autoloading? ? Offload.call { super } : super
        Tls.install if name == "openssl"
        loaded
      end
    end

    [Kernel, Object].each { |target| target.prepend(Require) }
  end
end
