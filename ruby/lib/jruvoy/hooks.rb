# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require_relative "selector"
require_relative "probe"

module Jruvoy
  # Puts the blocking operations that JRuby does not hand to a fiber scheduler in front of
  # it: a fiber that waits in one of them lets the owner's other fibers run.
  #
  # A hook steps aside where JRuby has one of its own: each is preceded by a probe. What is loaded without one repairs
  # something, or adds something of ours, and does no harm to a JRuby that is right.
  module Hooks
    # Operations that have a hook of ours.
    NAMES = %i[
      accept condition_variable connect copy_stream io_close monitor mutex pass_io process queue receive resolve
      sized_queue sysread thread
    ].freeze

    # @returns [Array(Symbol)] What JRuby hands to the scheduler itself.
    def self.native = @native ||= Probe.reaching(NAMES)

    # Put new objects of a primitive's class in Java, where a fiber waits by its scheduler.
    # JRuby makes some of them past the allocator, by a `new` of their own.
    # @parameter type [Class] The primitive.
    def self.replace(type)
      type.singleton_class.send(:remove_method, :new) if type.singleton_methods(false).include?(:new)
      Owner.hook_allocator(type)
    end
  end
end

(Jruvoy::Hooks::NAMES - Jruvoy::Hooks.native).each { |name| require_relative "hooks/#{name}" }
require_relative "hooks/fiber"
require_relative "hooks/flock"
require_relative "hooks/io_buffer"
require_relative "hooks/kernel" unless Jruvoy::Hooks.native.include?(:process)
require_relative "hooks/thread_variables"
require_relative "hooks/tls"
require_relative "hooks/nonblock"
require_relative "hooks/require"
require_relative "hooks/select"
