# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require_relative "selector"

module Jruvoy
  # Puts the blocking primitives that JRuby does not hand to a fiber scheduler in front of
  # it: a fiber that waits for one of them lets the owner's other fibers run.
  module Hooks
    # Put new objects of a primitive's class in Java, where a fiber waits by its scheduler.
    # JRuby makes some of them past the allocator, by a `new` of their own.
    # @parameter type [Class] The primitive.
    def self.replace(type)
      type.singleton_class.send(:remove_method, :new) if type.singleton_methods(false).include?(:new)
      Owner.hook_allocator(type)
    end
  end
end

require_relative "hooks/fiber"
require_relative "hooks/mutex"
require_relative "hooks/condition_variable"
require_relative "hooks/monitor"
require_relative "hooks/queue"
require_relative "hooks/sized_queue"
require_relative "hooks/thread"
require_relative "hooks/accept"
require_relative "hooks/connect"
require_relative "hooks/resolve"
require_relative "hooks/process"
require_relative "hooks/kernel"
require_relative "hooks/io_close"
require_relative "hooks/require"
