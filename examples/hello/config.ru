# SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

# The smallest app. Run it with `bin/jruvoy serve examples/hello/config.ru`, then `curl http://127.0.0.1:8080/`.

run lambda { |env|
  [200, {"content-type" => "text/plain"}, ["Hello from #{env["REQUEST_METHOD"]} #{env["PATH_INFO"]}\n"]]
}
