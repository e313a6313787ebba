# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "socket"
require "timeout"

module Jruvoy
  module Hooks
    # Connects without a thread: JRuby would resolve and connect in one call of Java.
    module Connect
      # Where a host is not given.
      HERE = "localhost"

      # @asynchronous Parks the fiber until the connection is there; one that is cancelled is closed.
      # @returns [TCPSocket]
      # @raises [SystemCallError] Why the last of the host's addresses could not be reached.
      # @raises [IO::TimeoutError] When a time of the options has passed.
      def new(*arguments, **options)
        return Offload.call(discard: :close.to_proc) { super } unless Fiber.current_scheduler && Connect.knows?(self)

        socket = Connect.to_host(*arguments, **options)
        # JRuby has the connection already: two objects for it, of which one will close it.
        socket.autoclose = false
        for_fd(socket.fileno)
      end

      # As new; with a block, the socket is closed after it.
      # @returns [TCPSocket | Object] The socket, or the block's result.
      def open(*arguments, **options)
        socket = new(*arguments, **options)
        return socket unless block_given?

        begin
          yield socket
        ensure
          socket.close unless socket.closed?
        end
      end

      # @returns [Boolean] Whether a class is made as TCPSocket is: a server or a subclass may have its own way.
      def self.knows?(type) = type.instance_method(:initialize).owner == TCPSocket

      # Find a host and connect to the first of its addresses that answers.
      # @asynchronous
      # @parameter local [Array] Host and port to connect from, or nothing.
      # @parameter connect_timeout [Numeric | Nil] Seconds for each address.
      # @parameter resolv_timeout [Numeric | Nil] Seconds for finding the addresses.
      # @parameter open_timeout [Numeric | Nil] Seconds for everything.
      # @returns [Socket]
      def self.to_host(host, port, *local, connect_timeout: nil, resolv_timeout: nil, open_timeout: nil, **)
        within(open_timeout) do
          addresses = within(resolv_timeout) { Addrinfo.getaddrinfo(host || HERE, port, nil, :STREAM) }
          first_of(addresses, local, connect_timeout)
        end
      end

      # Try addresses one after the other.
      # @asynchronous
      # @parameter addresses [Array(Addrinfo)] IPv6 first or IPv4 first, as the system has sorted them.
      # @parameter local [Array] Host and port to connect from, or nothing.
      # @parameter limit [Numeric | Nil] Seconds for each.
      # @returns [Socket]
      def self.first_of(addresses, local, limit)
        addresses.each_with_index do |address, index|
          return to(address, local, limit)
        rescue SystemCallError, IO::TimeoutError
          raise if index == addresses.size - 1
        end
        raise SocketError, "no address to connect to"
      end

      # @asynchronous
      # @returns [Socket]
      def self.to(address, local, limit)
        socket = Socket.new(address.afamily, :STREAM, 0)
        bind(socket, local, address) if local.any?
        within(limit) { socket.connect(address.to_sockaddr) }
        connected = true
        socket
      rescue SystemCallError => error
        raise error.class, "connect(2) for #{address.ip_address.inspect} port #{address.ip_port}"
      ensure
        socket&.close unless connected
      end

      # Give a socket its own address, in the family of the one that it will connect to.
      def self.bind(socket, local, address)
        host, port = local
        own = Addrinfo.getaddrinfo(host, port || 0, address.afamily, :STREAM).first
        socket.setsockopt(:SOCKET, :REUSEADDR, true)
        socket.bind(own)
      end

      # Run a block for so many seconds.
      # @raises [IO::TimeoutError]
      def self.within(seconds, &)
        seconds ? Timeout.timeout(seconds, IO::TimeoutError, "user specified timeout", &) : yield
      end
    end

    # Connects a socket that is there.
    module ConnectSocket
      # @asynchronous Parks the fiber until the connection is there.
      # @parameter address [String | Addrinfo] Where to.
      # @returns [Integer] 0.
      def connect(address)
        return super unless Fiber.current_scheduler
        # A path is another matter, see ConnectPath.
        return Offload.call { super } unless ConnectSocket.ip?(address)

        wait_writable while connect_nonblock(address, exception: false) == :wait_writable
        0
      rescue Errno::EISCONN
        0
      end

      # @returns [Boolean] Whether an address is one of the Internet's.
      def self.ip?(address) = (address.is_a?(Addrinfo) ? address : Addrinfo.new(address)).ip?
    end

    # Connects on a helper thread: that a server's backlog is full cannot be waited for.
    module ConnectPath
      # @asynchronous Parks the fiber until the connection is there.
      # @returns [UNIXSocket]
      def new(...)
        Offload.call(discard: :close.to_proc) { super }
      end
    end

    TCPSocket.singleton_class.prepend(Connect)
    Socket.prepend(ConnectSocket)
    UNIXSocket.singleton_class.prepend(ConnectPath)
  end
end
