# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require_relative "../request_task"

module Jruvoy
  module Hooks
    # Thread variables in handlers: a request is what a thread is elsewhere, so that all its
    # fibers share them and no other request sees them.
    module ThreadVariables
      # @returns [Object | Nil]
      def thread_variable_get(name)
        (own = requests_own) ? own[name.to_sym] : super
      end

      # @returns [Object] The value; nil takes the variable away.
      def thread_variable_set(name, value)
        own = requests_own or return super
        value.nil? ? own.delete(name.to_sym) : own[name.to_sym] = value
        value
      end

      # @returns [Boolean]
      def thread_variable?(name)
        (own = requests_own) ? own.key?(name.to_sym) : super
      end

      # @returns [Array(Symbol)]
      def thread_variables
        (own = requests_own) ? own.keys : super
      end

      private

      # Only a fiber's own thread belongs to a request.
      def requests_own
        RequestTask.current&.variables if equal?(Thread.current)
      end
    end

    Thread.prepend(ThreadVariables)
  end
end
