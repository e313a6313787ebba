# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "socket"

module Jruvoy
  module Hooks
    # Connects on a helper thread: JRuby resolves and connects in one call of Java.
    module Connect
      # @asynchronous Parks the fiber until the connection is there. A connection that
      #   comes after a cancel is closed.
      # @returns [TCPSocket]
      def new(*arguments, **options)
        return super unless Fiber.current_scheduler

        Offload.call(discard: :close.to_proc) { super(*arguments, **options) }
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
    end

    TCPSocket.singleton_class.prepend(Connect)
  end
end
