# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "support/on_loop"
require "socket"
require "openssl"

describe OpenSSL::SSL::SSLSocket do
  include OnLoop

  def server_context
    key = OpenSSL::PKey::EC.generate("prime256v1")
    certificate = OpenSSL::X509::Certificate.new
    certificate.version = 2
    certificate.serial = 1
    certificate.subject = certificate.issuer = OpenSSL::X509::Name.parse("/CN=localhost")
    certificate.public_key = key
    certificate.not_before = Time.now - 3600
    certificate.not_after = Time.now + 3600
    certificate.sign(key, OpenSSL::Digest.new("SHA256"))
    OpenSSL::SSL::SSLContext.new.tap do |context|
      context.cert = certificate
      context.key = key
    end
  end

  it "talks to a peer of the same loop" do
    plain = TCPServer.new("127.0.0.1", 0)
    context = server_context
    lines = on_loop do |task|
      server = task.async do
        socket = subject.new(plain.accept, context)
        socket.accept
        line = socket.gets
        socket.puts(line.upcase)
        socket.close
        line
      end
      client = subject.new(TCPSocket.new("127.0.0.1", plain.addr[1]))
      client.connect
      client.puts("hello")
      [client.gets, server.wait].tap { client.close }
    end

    expect(lines).to be == %W[HELLO\n hello\n]
  ensure
    plain&.close
  end
end
