# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

module Jruvoy
  module Hooks
    # TLS over sockets: JRuby waits for the socket in Java, where no scheduler sees it. Each
    # operation is done without waiting, until it works. Installed when openssl is loaded.
    module Tls
      # @asynchronous Parks the fiber during the handshake.
      def connect
        return blocking_connect unless Fiber.current_scheduler

        Tls.until_done(self) { connect_nonblock(exception: false) }
      end

      # @asynchronous Parks the fiber during the handshake.
      def accept
        return blocking_accept unless Fiber.current_scheduler

        Tls.until_done(self) { accept_nonblock(exception: false) }
      end

      # @asynchronous Parks the fiber until there is something to read.
      # @returns [String]
      def sysread(size, *buffer)
        return blocking_sysread(size, *buffer) unless Fiber.current_scheduler

        Tls.until_done(self) { sysread_nonblock(size, *buffer, exception: false) } or raise EOFError
      end

      # @asynchronous Parks the fiber until something could be written.
      # @returns [Integer] How many bytes.
      def syswrite(data)
        return blocking_syswrite(data) unless Fiber.current_scheduler

        Tls.until_done(self) { syswrite_nonblock(data, exception: false) }
      end

      # Repeat an operation while it would have to wait.
      def self.until_done(socket)
        loop do
          result = yield
          case result
          when :wait_readable then socket.to_io.wait_readable
          when :wait_writable then socket.to_io.wait_writable
          else return result
          end
        end
      end

      # Put the hook in place, once openssl is there. Not by prepend: the class calls super
      # from Java, and would find itself.
      def self.install
        socket = OpenSSL::SSL::SSLSocket
        return if socket.method_defined?(:blocking_connect)

        %i[connect accept sysread syswrite].each do |name|
          socket.alias_method(:"blocking_#{name}", name)
          socket.define_method(name, instance_method(name))
        end
      end
    end

    Tls.install if defined?(OpenSSL::SSL::SSLSocket)
  end
end
