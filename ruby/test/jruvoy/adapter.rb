# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "jruvoy/adapter"
require "support/scripted_request"

# Whatever an app returns or raises: the body is closed once, callbacks run, the request ends.
describe Jruvoy::Adapter do
  # A body that counts.
  class CountedBody
    attr_reader :closed

    def initialize(*chunks, &after)
      @chunks, @after, @closed = chunks, after, 0
    end

    def each
      @chunks.each { |chunk| yield chunk }
      @after&.call
    end

    def close = @closed += 1
  end

  let(:lines) { [] }

  def serve(request, response = nil, &app)
    app ||= ->(_env) { response }
    seen = lines
    mock(Jruvoy::Log) { |log| log.replace(:error) { |what, error| seen << [what, error.message] } }
    subject.new(app).call(request)
    request
  end

  it "sends each chunk and closes" do
    body = CountedBody.new("a", "b")
    request = serve(ScriptedRequest.new, [200, {}, body])
    expect(request.sent).to be == "ab"
    expect(request.told).to be == [[:begin, nil], :finish, :release]
    expect(body.closed).to be == 1
  end

  it "knows the length of an Array" do
    request = serve(ScriptedRequest.new, [200, {}, %w[ab c]])
    expect(request.told.first).to be == [:begin, 3]
  end

  it "uses to_ary, which closes the body itself" do
    body = CountedBody.new("each")
    def body.to_ary = (close; %w[a b])
    expect(serve(ScriptedRequest.new, [200, {}, body]).sent).to be == "ab"
    expect(body.closed).to be == 1
  end

  it "prefers each to call" do
    body = CountedBody.new("each")
    def body.call(stream) = stream.write("call")
    expect(serve(ScriptedRequest.new, [200, {}, body]).sent).to be == "each"
  end

  it "ends a streaming body that was left open" do
    request = serve(ScriptedRequest.new, [200, {}, ->(stream) { stream.write("x") }])
    expect(request.told).to be == [[:begin, nil], :finish, :release]
  end

  it "waits for whoever a hijack gave its stream to" do
    body = CountedBody.new("ignored")
    request = serve(ScriptedRequest.new, [200, {"rack.hijack" => ->(stream) { stream.write("x") }}, body])
    expect(request.sent).to be == "x"
    expect(request.told).to be(:include?, :await_finish)
    expect(body.closed).to be == 1
  end

  it "touches no body where there is none" do
    [ScriptedRequest.new(head: true), ScriptedRequest.new].each do |request|
      body = CountedBody.new("x")
      serve(request, [request.head? ? 200 : 204, {}, body])
      expect(request.sent).to be == ""
      expect(body.closed).to be == 1
    end
  end

  it "sends a file by its path, unless the length says it is only a part" do
    body = CountedBody.new("part")
    def body.to_path = __FILE__
    whole = serve(ScriptedRequest.new, [200, {}, body])
    expect(whole.told.first).to be == [:send_file, __FILE__]
    expect(serve(ScriptedRequest.new, [200, {"content-length" => "4"}, body]).sent).to be == "part"
    expect(serve(ScriptedRequest.new, [206, {}, body]).sent).to be == "part"
  end

  [
    -> { raise "boom" }, -> { raise Exception, "boom" }, -> { throw :nowhere }, -> { exit 3 },
    -> { raise NotImplementedError, "boom" }, -> { raise Interrupt, "boom" }, -> { nil }
  ].each_with_index do |failing, index|
    it "makes failure #{index} of an app a failure of its request", unique: index do
      request = serve(ScriptedRequest.new) { |_env| failing.call }
      expect(request.told).to be == %i[fail release]
      expect(lines.size).to be == 1
      expect(lines.first.first).to be == "GET /scripted"
    end
  end

  it "closes a body that fails, and logs once" do
    body = CountedBody.new("a") { raise "late" }
    request = serve(ScriptedRequest.new, [200, {}, body])
    expect(request.told).to be == [[:begin, nil], :fail, :release]
    expect(body.closed).to be == 1
    expect(lines).to be == [["GET /scripted", "late"]]
  end

  it "refuses bodies that are none" do
    [nil, 42, ["a", nil]].each do |body|
      expect(serve(ScriptedRequest.new, [200, {}, body]).told).to be(:include?, :fail)
    end
  end

  it "says nothing of a cancelled request" do
    body = CountedBody.new("a") { raise Jruvoy::Cancelled, "client_gone" }
    serve(ScriptedRequest.new, [200, {}, body])
    expect(body.closed).to be == 1
    expect(lines).to be(:empty?)
  end

  it "says nothing of a write to a client that has gone" do
    request = ScriptedRequest.new
    request.closed = true
    serve(request, [200, {}, CountedBody.new("a")])
    expect(lines).to be(:empty?)
  end

  it "runs callbacks last to first, and one that fails stops nobody" do
    request = ScriptedRequest.new
    seen = []
    request.callbacks << ->(*all) { seen << [:first, *all.drop(1)] }
    request.callbacks << ->(*) { raise "callback" }
    request.callbacks << ->(env, *) { seen << [:last, env.equal?(request.env)] }
    serve(request, [200, {"x" => "1"}, CountedBody.new])
    expect(seen).to be == [[:last, true], [:first, 200, {"x" => "1"}, nil]]
    expect(lines).to be == [["GET /scripted", "callback"]]
  end

  it "tells callbacks of the error" do
    request = ScriptedRequest.new
    errors = []
    request.callbacks << ->(_env, status, _headers, error) { errors << [status, error.message] }
    serve(request) { |_env| raise "boom" }
    expect(errors).to be == [[nil, "boom"]]
  end
end
