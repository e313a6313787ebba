# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require_relative "scheduler"

module Jruvoy
  # The task of a pooled fiber: what of a request is not the fiber's own hangs on it, and
  # goes with the request. Runs on the owner.
  class RequestTask < Async::Task
    # @returns [RequestTask | Nil] The one whose request the calling fiber works for.
    def self.current
      task = Async::Task.current?
      task = task.parent until task.nil? || task.is_a?(RequestTask) || !task.is_a?(Async::Task)
      task if task.is_a?(RequestTask)
    end

    # What the request's fibers have set by Thread#thread_variable_set.
    # @returns [Hash]
    def variables = @variables ||= {}

    # End the tasks that the request has left. Transient ones serve something that outlives
    # it (a pool of connections, say) and go to the scheduler, as they do when a task ends.
    # @returns [Integer] How many were stopped.
    def leave
      @variables = nil
      return 0 unless children?

      left = all_children.reject(&:transient?)
      left.each(&:stop)
      self.yield if children? # What they have started in turn is stopped in the next one.
      all_children.each { |child| child.parent = reactor if child.transient? }
      left.size
    end

    private

    def all_children
      found = []
      children&.each { |child| found << child }
      found
    end
  end
end
