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

    [TCPServer, UNIXServer, Socket, ServerSocket].each { |type| type.prepend(Accept) }
  end
end
