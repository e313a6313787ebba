# SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require "sequel"
require "uri"

# The pool counts connections by fiber, so that each request has its own.
Sequel.extension :fiber_concurrency

# Where the notes are: SQLite in a file, or PostgreSQL. By JDBC, as everything on JRuby.
module Database
  FILE = File.expand_path("notes.db", __dir__)
  # Seconds that a request waits for a connection.
  PATIENCE = 30
  # Connections are made before the first request: a client that leaves cannot interrupt that.
  POOL = {pool_timeout: PATIENCE, preconnect: true}.freeze
  # What only SQLite knows: readers beside one writer, and milliseconds that a writer waits for the one before.
  SQLITE = {
    connect_sqls: ["PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL"], timeout: PATIENCE * 1000
  }.freeze

  # Connects and makes the table when it is not there yet.
  # @parameter url [String | Nil] `postgres://USER:PASSWORD@HOST:PORT/NAME`, `sqlite:FILE`, or JDBC's own.
  # @parameter pool [Integer] How many connections there may be.
  # @returns [Sequel::JDBC::Database]
  def self.open(url, pool)
    jdbc = jdbc_url(url || "sqlite:#{FILE}")
    sqlite = jdbc.start_with?("jdbc:sqlite:")
    database = Sequel.connect(jdbc, max_connections: pool, **POOL, **(sqlite ? SQLITE : {}))
    # Statements run beside the owner's thread, and end when the client leaves.
    database.extension(:jruvoy_cancel)
    database.transaction_mode = :immediate if sqlite
    create_table(database)
    database
  end

  # JDBC takes the user and the password as parameters.
  # @returns [String] The same address as JDBC writes it.
  def self.jdbc_url(url)
    return url if url.start_with?("jdbc:")
    return "jdbc:#{url}" if url.start_with?("sqlite:")

    uri = URI(url)
    raise ArgumentError, "DATABASE_URL: not postgres://... or sqlite:..." unless uri.scheme&.match?(/\Apostgres(ql)?\z/)

    login = {user: uri.user, password: uri.password}.compact.transform_values { |word| URI.decode_uri_component(word) }
    query = [uri.query, URI.encode_www_form(login)].compact.reject(&:empty?).join("&")
    "jdbc:postgresql://#{uri.host}:#{uri.port || 5432}#{uri.path}?#{query}"
  end

  def self.create_table(database)
    database.create_table?(:notes) do
      primary_key :id
      String :text, text: true, null: false
      # Milliseconds since 1970, which every database and driver understands alike.
      Bignum :written_at, null: false
    end
  end

  private_class_method :jdbc_url, :create_table
end

# This process's database.
DB = Database.open(ENV.fetch("DATABASE_URL", nil), Integer(ENV.fetch("DATABASE_POOL", 5)))
