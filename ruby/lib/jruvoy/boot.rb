# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require_relative "gems"
require_relative "rackup"

module Jruvoy
  # The life of an app's Ruby: gems, hooks, rackup, then serving until it must stop. Runs on
  # the root fiber of the app's first owner; the others join when the rackup is loaded.
  class Boot
    # Load and serve an app.
    # @parameter port [Java::JruvoyOwner::OwnerPort] The way to the Java side.
    def self.run(port)
      new(port).run
    end

    # Serve an app that the first owner has loaded, on the root fiber of another one.
    # @parameter app [Object] What the rackup returned.
    # @parameter port [Java::JruvoyOwner::OwnerPort] The way to the Java side of this owner.
    def self.join(app, port)
      Server.new(app, port).run
    end

    # @parameter port [Java::JruvoyOwner::OwnerPort]
    def initialize(port)
      @port = port
    end

    # Load and serve the app; a failure to load is told to the server in one line.
    def run
      app = load
    rescue Exception => error # Whatever a rackup does, exit included, means: no app.
      @port.failed(Rackup.describe(error, @port.app_root))
    else
      serve(app)
    end

    private

    def load
      $stdout.sync = true
      Gems.new(home: @port.home, gem_path: @port.gem_path.to_a, gemfile: @port.gemfile).activate
      require_relative "server"
      require_relative "self_check"
      SelfCheck.run!
      Offload.pool = ThreadPool.new(@port.threads, "offload") # All owners share it.
      Rackup.load(@port.rackup)
    end

    def serve(app)
      @port.share(app)
      Server.new(app, @port).run
    end
  end
end
