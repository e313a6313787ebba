# SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require "digest"

# The server's end of a WebSocket (RFC 6455) over any stream that answers read, write and close: whole messages in and
# out; fragments, pings and the closing handshake are dealt with in here. One fiber may receive while others send.
class WebSocket
  # What the other end did wrong, with the close code that says so.
  class Violation < StandardError
    attr_reader :code

    # @parameter code [Integer] A close code.
    def initialize(code, message)
      super(message)
      @code = code
    end
  end

  # One frame as it came, unmasked.
  Frame = Struct.new(:final, :opcode, :payload)

  MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
  CONTINUATION = 0
  TEXT = 1
  BINARY = 2
  CLOSE = 8
  PING = 9
  PONG = 10

  NORMAL = 1000
  PROTOCOL_ERROR = 1002
  BAD_DATA = 1007
  TOO_BIG = 1009

  # @returns [Boolean] Whether the request wants to become a WebSocket.
  def self.asked?(env)
    env["rack.protocol"]&.any? { |name| name.casecmp?("websocket") } || false
  end

  # @returns [Hash] Response headers that agree. HTTP/2 has no key to answer.
  def self.headers(env)
    headers = {"rack.protocol" => "websocket"}
    key = env["HTTP_SEC_WEBSOCKET_KEY"]
    headers["sec-websocket-accept"] = Digest::SHA1.base64digest(key + MAGIC) if key
    headers
  end

  # @parameter stream [Object] What a streaming body is called with.
  # @parameter limit [Integer] Bytes of the longest message that is taken.
  def initialize(stream, limit: 1 << 20)
    @stream = stream
    @limit = limit
    @sending = Mutex.new
    @closing = false
  end

  # Waits for the next message. Text comes as UTF-8, anything else as binary.
  # @returns [String | Nil] nil when the other end has closed, left, or broken the protocol.
  def receive
    message = nil
    kind = nil
    while (frame = read_frame)
      next answer(frame) if frame.opcode >= CLOSE && frame.opcode != CLOSE
      return leave(frame) if frame.opcode == CLOSE

      kind, message = append(kind, message, frame)
      return whole(kind, message) if frame.final
    end
  rescue Violation => violation
    close(violation.code, violation.message)
    nil
  end

  # Sends a text message.
  def send_text(text)
    write_frame(TEXT, text)
  end

  # Sends a binary message.
  def send_binary(bytes)
    write_frame(BINARY, bytes)
  end

  # Says goodbye, once.
  def close(code = NORMAL, reason = "")
    return if @closing

    write_frame(CLOSE, [code].pack("n") + reason.b)
    @closing = true
  end

  private

  def read_frame
    head = @stream.read(2) or return
    first, second = head.unpack("CC")
    raise Violation.new(PROTOCOL_ERROR, "cut frame") unless second
    raise Violation.new(PROTOCOL_ERROR, "reserved bits") if first.anybits?(0x70)
    raise Violation.new(PROTOCOL_ERROR, "frame without mask") if second.nobits?(0x80)

    frame = Frame.new(first.anybits?(0x80), first & 0x0f)
    length = length_of(frame, second & 0x7f)
    mask = take(4).unpack("C4")
    frame.payload = length.zero? ? "".b : unmask(take(length), mask)
    frame
  end

  def length_of(frame, short)
    if frame.opcode >= CLOSE && (short > 125 || !frame.final)
      raise Violation.new(PROTOCOL_ERROR, "control frame too long or in pieces")
    end

    length = case short
             when 126 then take(2).unpack1("n")
             when 127 then take(8).unpack1("Q>")
             else short
             end
    raise Violation.new(TOO_BIG, "message too big") if length > @limit

    length
  end

  def take(length)
    bytes = @stream.read(length)
    raise Violation.new(PROTOCOL_ERROR, "cut frame") unless bytes && bytes.bytesize == length

    bytes
  end

  def unmask(bytes, mask)
    index = -1
    bytes.unpack("C*").map! { |byte| byte ^ mask[(index += 1) & 3] }.pack("C*")
  end

  def append(kind, message, frame)
    begins = frame.opcode == TEXT || frame.opcode == BINARY
    unless begins ? kind.nil? : kind && frame.opcode == CONTINUATION
      raise Violation.new(PROTOCOL_ERROR, "unexpected opcode #{frame.opcode}")
    end
    return [frame.opcode, frame.payload] if begins
    raise Violation.new(TOO_BIG, "message too big") if message.bytesize + frame.payload.bytesize > @limit

    [kind, message << frame.payload]
  end

  def whole(kind, message)
    return message if kind == BINARY

    text = message.force_encoding(Encoding::UTF_8)
    raise Violation.new(BAD_DATA, "text is not UTF-8") unless text.valid_encoding?

    text
  end

  def answer(frame)
    case frame.opcode
    when PING then write_frame(PONG, frame.payload)
    when PONG then nil
    else raise Violation.new(PROTOCOL_ERROR, "unexpected opcode #{frame.opcode}")
    end
  end

  # The other end's goodbye gets its own code back.
  def leave(frame)
    code = frame.payload.bytesize < 2 ? NORMAL : frame.payload.unpack1("n")
    close(code)
    nil
  end

  # Messages of several fibers must not be mixed up; after a goodbye nothing follows.
  def write_frame(opcode, payload)
    bytes = payload.b
    @sending.synchronize do
      next if @closing

      @stream.write(head_of(opcode, bytes.bytesize) << bytes)
      @stream.flush
    end
  end

  def head_of(opcode, length)
    return [0x80 | opcode, length].pack("CC") if length < 126
    return [0x80 | opcode, 126, length].pack("CCn") if length < 65_536

    [0x80 | opcode, 127, length].pack("CCQ>")
  end
end
