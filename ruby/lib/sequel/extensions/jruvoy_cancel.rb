# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "jruvoy/offload"

# Makes Sequel over JDBC wait as a request may wait:
#
#     DB.extension :jruvoy_cancel
#
# What JDBC executes (statements, BEGIN, COMMIT and their like) goes through {Jruvoy.offload}:
# in a fiber it lets the owner's other fibers run. When the client leaves, or the fiber is
# interrupted otherwise, JDBC's `Statement.cancel` ends the statement; Sequel sees an exception,
# rolls the transaction back, and the connection goes back to the pool as clean as it came.
# On a thread of `mode: threads` the rows that are fetched one by one can be cancelled as well.
#
# In fibers mode statements run on the `threads` of the server; the rows are fetched by the owner.
module Sequel
  # See above.
  module JruvoyCancel
    # Cancels a statement until it is over: JDBC forgets a cancel that comes before the
    # statement has begun.
    class Stop
      # Milliseconds between the first two tries; each pause is twice the one before.
      FIRST_PAUSE = 5
      # Milliseconds; PostgreSQL opens a connection for every try.
      LAST_PAUSE = 1000

      # @parameter statement [Java::JavaSql::Statement | Nil] What Sequel executes, if known.
      def initialize(statement)
        @statement = statement
        @over = java.util.concurrent.CountDownLatch.new(1)
        @called = false
      end

      # Whether the statement was to be cancelled.
      def called? = @called

      # Cancel, and wait until the statement is over.
      def call
        @called = true
        pause = FIRST_PAUSE
        loop do
          try
          break if @over.await(pause, java.util.concurrent.TimeUnit::MILLISECONDS)

          pause = [2 * pause, LAST_PAUSE].min
        end
      end

      # Run the block, after which the statement is over.
      def until_over
        yield
      ensure
        @over.count_down
      end

      private

      def try
        @statement&.cancel
      rescue Java::JavaSql::SQLException
        nil # It is over, or will be tried again.
      end
    end

    # @raises [Sequel::Error] The database does not speak by JDBC.
    def self.extended(database)
      raise Error, "jruvoy_cancel needs a database by JDBC" unless database.respond_to?(:jndi?)

      database.instance_exec { @jruvoy_statements = java.util.concurrent.ConcurrentHashMap.new }
      # Sequel may ask the database this when the first transaction begins, and loses its way if
      # that is cancelled.
      database.supports_savepoints?
    end

    # Forget a connection with its statement.
    def disconnect_connection(connection)
      @jruvoy_statements.remove(connection)
      super
    end

    private

    # Execute something. Only this leaves the caller's thread: rows are fetched by it.
    def log_connection_yield(sql, connection, args = nil)
      stop = Stop.new(statement = @jruvoy_statements.get(connection))
      begin
        Jruvoy.offload(on_cancel: stop) { stop.until_over { super } }
      rescue Exception => error
        if stop.called?
          Thread.current[:jruvoy_error] = error
          jruvoy_forget(connection, statement)
        end
        raise
      end
    end

    # Remember the statement while it is used.
    def statement(connection)
      super do |statement|
        before = @jruvoy_statements.put(connection, statement)
        begin
          stop = Stop.new(statement)
          Jruvoy::Offload.guard(stop) { stop.until_over { yield statement } }
        ensure
          before ? @jruvoy_statements.put(connection, before) : @jruvoy_statements.remove(connection)
        end
      end
    end

    # Remember a statement that is prepared now.
    def prepare_jdbc_statement(connection, sql, opts)
      super.tap { |prepared| @jruvoy_statements.put(connection, prepared) }
    end

    # Remember a statement that was prepared before: Sequel finds it by this.
    def cps_sync(connection)
      super.tap { |(_, prepared)| @jruvoy_statements.put(connection, prepared) if prepared }
    end

    # Execute a prepared statement. Afterwards Sequel clears its parameters; that a driver
    # refuses this for one that was cancelled must not hide why it ended.
    def execute_prepared_statement(name, opts = OPTS)
      Thread.current[:jruvoy_error] = nil
      super
    rescue Exception => error
      raise Thread.current[:jruvoy_error] || error
    end

    # A prepared statement that was cancelled is not used again.
    def jruvoy_forget(connection, statement)
      known = nil
      cps_sync(connection) do |prepared|
        known = prepared.delete(prepared.key(prepared.values.find { |(_, each)| each.equal?(statement) }))
        nil
      end
      statement.close if known
    end
  end

  Database.register_extension(:jruvoy_cancel, JruvoyCancel)
end
