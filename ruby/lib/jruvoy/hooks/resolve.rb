# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "socket"

module Jruvoy
  module Hooks
    # Resolves names on a helper thread; what is an address already needs none.
    module Resolve
      # What can be told from a name at once.
      ADDRESS = /\A\d+\.\d+\.\d+\.\d+\z|:|\A\z/

      # @returns [Boolean] Whether a host must be looked up.
      def self.name?(host) = host.is_a?(String) && !ADDRESS.match?(host)

      # By host first. Not for methods that take a block, such as `Socket.tcp`: that must stay on its fiber.
      # @parameter names [Array(Symbol)] Class methods.
      # @returns [Module]
      def self.by_host(*names)
        Module.new do
          names.each do |name|
            define_method(name) do |host, *arguments, **options|
              next super(host, *arguments, **options) unless Resolve.name?(host)

              Offload.call { super(host, *arguments, **options) }
            end
          end
        end
      end

      # By port and host.
      module ByPort
        # @asynchronous Parks the fiber.
        # @returns [String]
        def sockaddr_in(port, host) = Resolve.name?(host) ? Offload.call { super } : super
        alias pack_sockaddr_in sockaddr_in
      end

      # From addresses to names, and the older form.
      module Address
        # @asynchronous Parks the fiber.
        # @returns [Array(String)] Host and service.
        def getnameinfo(...) = Offload.call { super }

        # @asynchronous Parks the fiber.
        # @returns [String] The address of a host.
        def getaddress(...) = Offload.call { super }
      end

      # Of datagrams.
      module OfUdp
        # @asynchronous Parks the fiber where the host is a name.
        # @returns [Integer] 0.
        def connect(host, port) = Resolve.name?(host) ? super(IPSocket.getaddress(host), port) : super

        # @asynchronous Parks the fiber where the host is a name.
        # @returns [Integer] Bytes.
        def send(message, flags, host = nil, *port)
          Resolve.name?(host) && port.any? ? super(message, flags, IPSocket.getaddress(host), *port) : super
        end
      end

      Addrinfo.singleton_class.prepend(by_host(:getaddrinfo, :ip, :tcp, :udp))
      Socket.singleton_class.prepend(by_host(:getaddrinfo, :gethostbyname))
      TCPSocket.singleton_class.prepend(by_host(:gethostbyname))
      Socket.singleton_class.prepend(ByPort)
      [Addrinfo, Socket.singleton_class, IPSocket.singleton_class].each { |type| type.prepend(Address) }
      UDPSocket.prepend(OfUdp)
    end
  end
end
