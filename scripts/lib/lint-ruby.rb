# SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

# Checks Ruby files on JRuby alone: they parse without a warning, and keep the few rules of form that a reader notices.
# The argument names a file that lists them, one per line.

# The rules for one file.
class RubyFile
  MAX_METHOD = 20
  MAX_COLUMN = 120

  # @parameter path [String] The file.
  def initialize(path)
    @path = path
    @lines = File.readlines(path, encoding: "UTF-8", chomp: true)
  end

  # @returns [Array(String)] One text per broken rule.
  def faults
    head + lines + methods + syntax
  end

  private

  def head
    return [] if @lines.first(3).include?("# frozen_string_literal: true")

    ["#{@path}:1: no frozen_string_literal"]
  end

  def lines
    @lines.each_with_index.flat_map do |line, index|
      found = []
      found << "longer than #{MAX_COLUMN} columns" if line.length > MAX_COLUMN
      found << "single quotes around plain text" if line.match?(/\A[^"#`%\/]*'[^'"\\#]*'[^"']*\z/)
      found.map { |text| "#{@path}:#{index + 1}: #{text}" }
    end
  end

  # Lengths by indentation: a method ends at the `end` below its `def`.
  def methods
    @lines.each_with_index.filter_map do |line, index|
      indent = line[/\A( *)(?:private )?def /, 1] or next
      next if line.match?(/\bdef [^=]*\) = |\bdef \w+[?!]? = |; end\z/)

      length = @lines.drop(index + 1).index("#{indent}end")
      "#{@path}:#{index + 1}: method of #{length} lines, at most #{MAX_METHOD}" if length && length > MAX_METHOD
    end
  end

  def syntax
    reader, writer = IO.pipe
    old = $stderr
    $stderr = writer
    verbose = $VERBOSE
    $VERBOSE = true
    JRuby.parse(@lines.join("\n"), @path)
    []
  rescue SyntaxError => error
    [error.message]
  ensure
    $VERBOSE = verbose
    $stderr = old
    writer.close
    reader.close
  end
end

require "jruby"

faults = File.readlines(ARGV.fetch(0), chomp: true).flat_map { |path| RubyFile.new(path).faults }
warn faults
exit faults.empty?
