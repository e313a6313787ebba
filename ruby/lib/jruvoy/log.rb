# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "java"

module Jruvoy
  # Envoy's log.
  module Log
    # Frames of a backtrace that are logged: enough to see an endless recursion.
    FRAMES = 60

    SINK = Java::JruvoyBridge::Log
    private_constant :SINK

    # Log an exception once: a line, then the backtrace, in one piece.
    # @parameter what [String] What happened to whom.
    # @parameter error [Exception]
    def self.error(what, error)
      lines = ["#{error.class}: #{line(error.message)}, #{what}"]
      trace = error.backtrace || []
      lines.concat(trace.first(FRAMES).map { |frame| "    #{line(frame)}" })
      lines << "    ... #{trace.size - FRAMES} more" if trace.size > FRAMES
      SINK.error(lines.join("\n"))
    end

    # Log a line of the app's own.
    # @parameter text [String]
    def self.app(text)
      SINK.error(line(text))
    end

    # Log a line about something odd.
    # @parameter text [String]
    def self.warn(text)
      SINK.warn(line(text))
    end

    # Text as it can stand in a line: what an app or a client says must not look like another line.
    def self.line(text)
      text = text.to_s.dup.force_encoding(Encoding::UTF_8).scrub("?")
      text.gsub(/[\u0000-\u0008\u000a-\u001f\u007f]/) { |control| control == "\n" ? "\\n" : "?" }
    end

    private_class_method :line
  end
end
