# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "socket"

module Jruvoy
  module Hooks
    # Waits for a connection by the scheduler.
    module Accept
      # @asynchronous Parks the fiber until a client connects.
      # @returns [Socket] The connection, in the shape that the class gives it.
      def accept
        return super unless Fiber.current_scheduler

        while (connection = accept_nonblock(exception: false)) == :wait_readable
          wait_readable
        end
        connection
      end
    end

    # As a descriptor only.
    module Sysaccept
      # @asynchronous Parks the fiber until a client connects.
      # @returns [Integer] The connection's descriptor, which the caller closes.
      def sysaccept
        return super unless Fiber.current_scheduler

        accept.tap { |connection| connection.autoclose = false }.fileno
      end
    end

    [TCPServer, UNIXServer, Socket, ServerSocket].each { |type| type.prepend(Accept) }
    [TCPServer, UNIXServer].each { |type| type.prepend(Sysaccept) }
  end
end
