# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "socket"

module Jruvoy
  module Hooks
    # Resolves names on a helper thread.
    module Resolve
      # @asynchronous Parks the fiber.
      # @returns [Array(Addrinfo)]
      def getaddrinfo(...)
        Offload.call { super }
      end
    end

    # As Resolve, for the older form.
    module Address
      # @asynchronous Parks the fiber.
      # @returns [String] The address of a host.
      def getaddress(...)
        Offload.call { super }
      end
    end

    Addrinfo.singleton_class.prepend(Resolve)
    Socket.singleton_class.prepend(Resolve)
    IPSocket.singleton_class.prepend(Address)
  end
end
