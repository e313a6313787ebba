# SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

# Uploads of any size in constant memory. Run it with `bin/jruvoy serve examples/upload/config.ru` and open
# http://127.0.0.1:8080/, or watch it count while the file arrives: `curl -N -T FILE http://127.0.0.1:8080/`.

require_relative "receipt"

PAGE = File.read(File.join(__dir__, "index.html")).freeze

run lambda { |env|
  case env["REQUEST_METHOD"]
  when "GET"
    [200, {"content-type" => "text/html; charset=utf-8"}, [PAGE]]
  when "POST", "PUT"
    [200, {"content-type" => "text/plain"}, Receipt.new(env["rack.input"])]
  else
    [405, {"content-type" => "text/plain", "allow" => "GET, POST, PUT"}, ["Method Not Allowed\n"]]
  end
}
