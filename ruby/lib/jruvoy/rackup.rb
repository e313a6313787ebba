# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

module Jruvoy
  # Loads a rackup, and says in one line why that failed.
  module Rackup
    # Frames that say nothing about the cause: the gems that load a rackup, and JRuby.
    NOISE = %r{\A(uri:|jar:|<internal|org/jruby|java/|jruvoy/|#{Regexp.escape(__dir__)}/)|
               /(rubygems|bundler)/|/rack/builder\.rb}x

    # @parameter path [String] An absolute path, to a rackup or to a Ruby file that defines the app.
    # @returns [Object] The app.
    def self.load(path)
      raise LoadError, "#{path}: no such file" unless File.file?(path)

      app = Rack::Builder.parse_file(path)
      raise TypeError, "what it runs does not answer call: #{app.class}" unless app.respond_to?(:call)

      load_rest_of_rack
      app
    end

    # A constant that loads itself in a request never would: JRuby's lock of the constant is the
    # fiber's, while a helper thread loads the file.
    def self.load_rest_of_rack
      Rack.constants.each { |name| Rack.const_get(name) if Rack.autoload?(name) }
    end

    # @parameter error [Exception] What the rackup raised.
    # @parameter root [String] The app's folder; paths below it are shown without it.
    # @returns [String] `config.ru:12: message (Class)`
    def self.describe(error, root)
      message = error.message.to_s.dup.force_encoding(Encoding::UTF_8).scrub("?")
      line = "#{summary(message)} (#{error.class})"
      place = error.is_a?(SyntaxError) ? nil : place_of(error, root)
      line = "#{place}: #{line}" if place && !line.start_with?(place)
      line.gsub("#{root}/", "")[0, 1000]
    end

    # The first line that says something; of a syntax error also the first reason.
    def self.summary(message)
      lines = message.lines.map(&:strip).reject(&:empty?)
      reason = lines.drop(1).find { |line| line.start_with?("|", "^", ">") ? line.include?("^") : true }
      first = lines.first.to_s
      first.end_with?("found", "found:") ? "#{first} #{reason&.sub(/\A[|\s>^~]+/, "")}" : first
    end

    def self.place_of(error, root)
      frames = (error.backtrace || []).reject { |frame| frame.match?(NOISE) }
      frame = frames.find { |each| each.start_with?("#{root}/") } || frames.first
      frame && frame[/\A(.+?:\d+)/, 1]&.delete_prefix("#{root}/")
    end

    private_class_method :load_rest_of_rack, :summary, :place_of
  end
end
