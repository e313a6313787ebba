# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "sus/mock"

# A mock of sus acts only for the Thread that made it. On JRuby a fiber has a Thread object
# of its own, so that mocks would never act in a task; here they act for everyone.
module MockInFibers
  def replace(name, &hook)
    @interceptor.define_method(name) do |*arguments, **options, &block|
      hook.call(*arguments, **options, &block)
    end
    self
  end

  def before(name, &hook)
    @interceptor.define_method(name) do |*arguments, **options, &block|
      hook.call(*arguments, **options, &block)
      super(*arguments, **options, &block)
    end
    self
  end

  def after(name, &hook)
    @interceptor.define_method(name) do |*arguments, **options, &block|
      result = super(*arguments, **options, &block)
      hook.call(result, *arguments, **options, &block)
      result
    end
    self
  end

  def wrap(name, &hook)
    @interceptor.define_method(name) do |*arguments, **options, &block|
      original = proc { |*a, **o, &b| super(*a, **o, &b) }
      hook.call(original, *arguments, **options, &block)
    end
    self
  end
end

Sus::Mock.prepend(MockInFibers) unless ENV["JRUVOY_TEST_STOCK_MOCK"]
