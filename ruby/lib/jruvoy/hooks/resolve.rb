# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "socket"

module Jruvoy
  module Hooks
    # Resolves names on a helper thread; what is an address already needs none.
    module Resolve
      # What can be told from a name at once.
      ADDRESS = /\A\d+\.\d+\.\d+\.\d+\z|:/

      # @asynchronous Parks the fiber.
      # @returns [Array(Addrinfo)]
      def getaddrinfo(host, ...)
        ADDRESS.match?(host.to_s) ? super : Offload.call { super }
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
