# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

# Holds its slot when asked to, so that the module has to refuse every other request.
run lambda { |env|
  sleep if env["PATH_INFO"] == "/hold"
  [200, {"content-type" => "text/plain"}, ["free"]]
}
