# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

# Requests that wait until their client leaves, each in another way. Who asks for /told/KEY hears "waiting", and later
# at which moment of CLOCK_MONOTONIC, which all processes of a machine share, the wait was interrupted.
require "socket"

SILENT = TCPServer.new("127.0.0.1", 0)
TOLD = Hash.new("")

# Runs the wait; notes its beginning and its end.
def witness(key)
  TOLD[key] = "waiting"
  yield
ensure
  TOLD[key] = Process.clock_gettime(Process::CLOCK_MONOTONIC).to_s
end

# Reads from a listener that never says anything.
def read_from_socket
  socket = TCPSocket.new("127.0.0.1", SILENT.addr[1])
  socket.read
ensure
  socket&.close
end

WAITS = {
  "sleep" => -> { sleep },
  "queue" => -> { Thread::Queue.new.pop },
  "socket" => -> { read_from_socket }
}.freeze

# Writes until the client has taken all credit, and then waits for more.
def endless(key)
  block = "x" * 65_536
  [200, {}, ->(stream) { witness(key) { loop { stream.write(block) } } }]
end

run lambda { |env|
  _, name, key = env["PATH_INFO"].split("/")
  case name
  when "credit" then endless(key)
  when "told" then [200, {}, [TOLD[key]]]
  when *WAITS.keys then witness(key) { WAITS[name].call }
  else [200, {}, ["idle"]]
  end
}
