# SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

require "roda"

# The notes as a page with a form, and as JSON below /api.
class Notes < Roda
  LONGEST = 2_000
  SHOWN = 100

  plugin :all_verbs
  plugin :default_headers,
         "content-type" => "text/html; charset=utf-8",
         "content-security-policy" => "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'"
  plugin :halt
  plugin :json
  plugin :json_parser, content_type_regexp: %r{\Aapplication/json\b}i
  plugin :render, escape: true, views: File.join(__dir__, "views")
  plugin :status_303

  status_text = {403 => "Forbidden", 404 => "Not Found", 405 => "Method Not Allowed", 422 => "Unprocessable Content"}
  plugin :status_handler
  status_text.each do |status, text|
    status_handler(status) { request.path_info.start_with?("/api/") ? {"error" => text} : "#{text}\n" }
  end

  route do |r|
    r.halt(403) unless reading?(r) || from_here?(r)

    r.root { render("page", locals: {notes: newest}) }
    r.on("api") { api(r) }

    r.post("notes") do
      add(r) or r.halt(422)
      r.redirect("/")
    end
    r.post("notes", Integer, "delete") do |id|
      DB[:notes].where(id: id).delete
      r.redirect("/")
    end
  end

  private

  def api(r)
    r.is("notes") do
      r.get { newest }
      r.post do
        note = add(r) or r.halt(422)
        response.status = 201
        note
      end
    end
    r.is("notes", Integer) do |id|
      note = DB[:notes].first(id: id) or r.halt(404)
      r.get { note }
      r.delete do
        DB[:notes].where(id: id).delete
        response.status = 204
        ""
      end
    end
  end

  def newest = DB[:notes].reverse(:id).limit(SHOWN).all

  # Writes the note that a form or a JSON object brings.
  # @returns [Hash | Nil] The note, or nil when its text is none.
  def add(r)
    text = r.POST["text"]
    return unless text.is_a?(String) && text.valid_encoding?

    text = text.gsub("\r\n", "\n").strip
    return if text.empty? || text.size > LONGEST || text.include?("\0")

    note = {text: text, written_at: Process.clock_gettime(Process::CLOCK_REALTIME, :millisecond)}
    {id: DB[:notes].insert(note), **note}
  end

  def reading?(r) = r.get? || r.head?

  # Browsers let any page send a form to anywhere, but tell whose page it is.
  def from_here?(r)
    origin = r.env["HTTP_ORIGIN"]
    origin.nil? || origin.split("//", 2).last == r.env["HTTP_HOST"]
  end

  def time(note) = Time.at(note[:written_at] / 1000).utc
end
