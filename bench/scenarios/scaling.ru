# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

# Pages that compute, a page that waits, one that holds its owner for 100 ms, and a light one.
require "socket"

# Some milliseconds of what apps do: text is escaped, joined and sorted.
module Page
  ROWS = 1500
  ESCAPES = {"&" => "&amp;", "<" => "&lt;", ">" => "&gt;"}.freeze

  # @returns [String] A table of HTML.
  def self.render
    rows = Array.new(ROWS) { |index| ["<#{index * 7919 % ROWS}>", "fish & chips, #{index}"] }
    rows.sort_by!(&:first)
    rows.map { |cells| "<tr>#{cells.map { |cell| "<td>#{cell.gsub(/[&<>]/, ESCAPES)}</td>" }.join}</tr>" }.join("\n")
  end
end

# A server elsewhere, reached by connections that are kept; requests of all owners share them.
module Upstream
  PORT = ENV.fetch("BENCH_UPSTREAM").to_i
  WAIT_SECONDS = 0.02
  IDLE = Thread::Queue.new

  # What that server takes its time for, and one exchange with it.
  # @returns [String]
  def self.ask
    sleep(WAIT_SECONDS)
    socket = IDLE.pop(timeout: 0) || TCPSocket.new("127.0.0.1", PORT)
    socket.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n")
    length = 0
    until (line = socket.gets("\r\n")) == "\r\n"
      length = line[15..].to_i if line.start_with?("content-length:")
    end
    answer = socket.read(length)
    IDLE << socket
    answer
  end
end

BURN_SECONDS = 0.1

# @returns [String]
def burn
  ends = Process.clock_gettime(Process::CLOCK_MONOTONIC) + BURN_SECONDS
  Integer.sqrt(1_000_003) while Process.clock_gettime(Process::CLOCK_MONOTONIC) < ends
  "burnt"
end

PAGES = {
  "/cpu" => Page.method(:render),
  "/io" => Upstream.method(:ask),
  "/burn" => method(:burn),
  "/light" => -> { "light" }
}.freeze

run lambda { |env|
  page = PAGES[env["PATH_INFO"]]
  [200, {"content-type" => "text/plain"}, [page ? page.call : "scaling"]]
}
