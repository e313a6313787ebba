# SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

# A chat over WebSocket. Run it with `bin/jruvoy serve examples/chat/config.ru` and open http://127.0.0.1:8080/ in a few
# windows. Over HTTP/1.1 and HTTP/2 alike: the server turns `rack.protocol` into what each of them wants.

require_relative "chat_room"
require_relative "web_socket"

PAGE = File.read(File.join(__dir__, "index.html")).freeze
TEXT = {"content-type" => "text/plain"}.freeze
ROOM = ChatRoom.new

# Only pages of this very site may chat: browsers let any page open a WebSocket to anywhere, but tell whose it is.
def from_here?(env)
  origin = env["HTTP_ORIGIN"]
  origin.nil? || origin.split("//", 2).last == env["HTTP_HOST"]
end

def chat(env)
  return [426, TEXT.merge("upgrade" => "websocket"), ["Upgrade Required\n"]] unless WebSocket.asked?(env)
  return [403, TEXT.dup, ["Forbidden\n"]] unless from_here?(env)

  [200, WebSocket.headers(env), ->(stream) { ROOM.enter(WebSocket.new(stream)) }]
end

run lambda { |env|
  case env["PATH_INFO"]
  when "/" then [200, {"content-type" => "text/html; charset=utf-8"}, [PAGE]]
  when "/chat" then chat(env)
  else [404, TEXT.dup, ["Not Found\n"]]
  end
}
