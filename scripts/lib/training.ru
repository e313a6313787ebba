# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

# The run that the AOT cache is made of: an app that answers in the usual ways, and a client
# that asks for all of them and then ends the server. The client reads the port from the
# ready line in the server's output, whose path is in JRUVOY_TRAINING_LOG.

require "socket"

ROUNDS = 200
HEADERS = {"content-type" => "text/plain"}.freeze

ANSWERS = {
  "/array" => ->(_env) { [200, HEADERS.dup, ["Hello\n"]] },
  "/each" => ->(_env) { [200, HEADERS.dup, Enumerator.new { |parts| 3.times { |part| parts << "#{part}\n" } }] },
  "/stream" => ->(_env) { [200, HEADERS.dup, ->(stream) { stream.write("Hello\n") && stream.close }] },
  "/echo" => ->(env) { [200, HEADERS.dup, [env["rack.input"].read]] },
  "/wait" => lambda do |_env|
    sleep(0.001)
    Async { |task| task.sleep(0.001) }.wait
    [200, HEADERS.dup, [Thread::Queue.new.push("Hello\n").pop]]
  end,
}.freeze

def port
  sleep(0.05) until (found = File.read(ENV.fetch("JRUVOY_TRAINING_LOG"))[/listening on http:.*:(\d+)$/, 1])
  found.to_i
end

def ask(port, path)
  socket = TCPSocket.new("127.0.0.1", port)
  socket.write("POST #{path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: 6\r\n\r\nHello\n")
  answer = socket.read
  raise "#{path}: #{answer}" unless answer.start_with?("HTTP/1.1 200")
ensure
  socket&.close
end

Thread.new do
  open = port
  ROUNDS.times { ANSWERS.each_key { |path| ask(open, path) } }
  Process.kill(:TERM, Process.pid)
end

run ->(env) { ANSWERS.fetch(env["PATH_INFO"]).call(env) }
