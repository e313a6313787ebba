# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "socket"
require_relative "nonblock"

module Jruvoy
  module Hooks
    # Receives datagrams and pieces of streams by the scheduler, with CRuby's flags, buffers and senders: JRuby waits
    # in Java, and knows no flags.
    module Receive
      # @asynchronous Parks the fiber until something has come.
      # @parameter length [Integer] How many bytes at most.
      # @parameter rest [Array] Flags of the system, and a String that takes the bytes.
      # @returns [String | Nil] nil at the end of a stream.
      # @raises [IOError] When Ruby has read ahead.
      def recv(length, *rest)
        selector = Nonblock.selector or return super

        Receive.message(selector, self, length, *rest)&.first
      end

      # Wait for a message.
      # @asynchronous
      # @returns [Array(String) | Nil] The bytes and the sender's socket address; nil at the end of a stream.
      def self.message(selector, socket, length, flags = nil, buffer = nil)
        raise FrozenError, "can't modify frozen String: #{buffer.inspect}" if buffer&.frozen?

        until (message = selector.io_receive(socket, length, flags || 0))
          socket.wait_readable
        end
        bytes, sender = message
        return nil if bytes.empty? && !datagrams?(socket)

        [buffer ? buffer.replace(bytes.force_encoding(buffer.encoding)) : bytes, sender]
      end

      # @returns [Boolean] Whether an empty message is one, and not the end.
      def self.datagrams?(socket) = socket.getsockopt(:SOCKET, :TYPE).int == Socket::SOCK_DGRAM

      # The sender, too.
      module From
        # @asynchronous Parks the fiber until something has come.
        # @parameter length [Integer] How many bytes at most.
        # @parameter rest [Array] As for recv.
        # @returns [Array | Nil] The bytes and their sender, in the shape of the class; nil at the end of a stream.
        def recvfrom(length, *rest)
          selector = Nonblock.selector or return super

          bytes, sender = Receive.message(selector, self, length, *rest)
          bytes && [bytes, From.name(self, sender)]
        end

        # @parameter address [String] A socket address; empty for streams, whose bytes have no sender of their own.
        # @returns [Array | Addrinfo | Nil] What CRuby makes of it; an Addrinfo of JRuby cannot be empty.
        def self.name(socket, address)
          case socket
          when UNIXSocket then ["AF_UNIX", ""]
          when IPSocket then ip(socket, Addrinfo.new(address)) unless address.empty?
          else address.empty? ? socket.remote_address : Addrinfo.new(address, nil, Socket::SOCK_DGRAM)
          end
        end

        # @returns [Array] Family, port, name and address.
        def self.ip(socket, sender)
          address = sender.ip_address
          name = socket.do_not_reverse_lookup ? address : sender.getnameinfo(Socket::NI_NUMERICSERV).first
          [sender.ipv6? ? "AF_INET6" : "AF_INET", sender.ip_port, name, address]
        end
      end

      BasicSocket.prepend(self)
      [IPSocket, UNIXSocket, Socket].each { |type| type.prepend(From) }
    end
  end
end
