# SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

# Server-sent events. Run it with `bin/jruvoy serve examples/streaming/config.ru` and open http://127.0.0.1:8080/ in a
# few windows, or `curl -N http://127.0.0.1:8080/events`. Thousands of listeners wait in fibers of one thread.

require_relative "ticker"

PAGE = File.read(File.join(__dir__, "index.html")).freeze

run lambda { |env|
  case env["PATH_INFO"]
  when "/"
    [200, {"content-type" => "text/html; charset=utf-8"}, [PAGE]]
  when "/events"
    [200, {"content-type" => "text/event-stream", "cache-control" => "no-cache"}, Ticker.new]
  else
    [404, {"content-type" => "text/plain"}, ["Not Found\n"]]
  end
}
