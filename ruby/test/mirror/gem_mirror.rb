# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

# Packs installed gems again and writes the files of a gem source (the compact index that
# Bundler reads), so that a file server can stand in for RubyGems:
#
#     gem_mirror.rb SITE GEMFILE_LOCK GEM_HOME...

require "bundler"
require "digest"
require "fileutils"
require "rubygems/package"
require "tmpdir"

# A source of gems as a folder of files.
class GemMirror
  # @parameter site [String] The folder.
  def initialize(site)
    @site = site
    @rows = {}
    FileUtils.mkdir_p([File.join(site, "gems"), File.join(site, "info")])
  end

  # Offer a gem that is installed.
  # @parameter spec [Gem::Specification]
  def add(spec)
    Dir.mktmpdir do |folder|
      FileUtils.cp_r("#{spec.full_gem_path}/.", folder)
      pack(spec, folder)
    end
  end

  # Offer a gem of which only the name counts: JRuby has what it would bring.
  # @parameter name [String]
  # @parameter version [String]
  # @parameter platform [String]
  def add_empty(name, version, platform)
    Dir.mktmpdir do |folder|
      File.write(File.join(folder, "readme.md"), "Part of JRuby.\n")
      pack(Gem::Specification.new(name, version) { |spec| spec.platform = platform }, folder)
    end
  end

  # Write the list of what there is.
  def finish
    versions = @rows.map { |name, number| "#{name} #{number} #{Digest::MD5.file(info(name)).hexdigest}\n" }
    File.write(File.join(@site, "versions"), "created_at: 2026-01-01T00:00:00Z\n---\n#{versions.join}")
  end

  private

  def info(name) = File.join(@site, "info", name)

  def pack(spec, folder)
    Dir.chdir(folder) do
      complete(spec)
      FileUtils.mv(Gem::Package.build(spec, true), File.join(@site, "gems"))
    end
    number = spec.full_name.delete_prefix("#{spec.name}-")
    needs = spec.runtime_dependencies.map { |need| "#{need.name}:#{need.requirement.to_s.gsub(", ", "&")}" }
    sum = Digest::SHA256.file(File.join(@site, "gems", "#{spec.full_name}.gem")).hexdigest
    File.write(info(spec.name), "---\n#{number} #{needs.join(",")}|checksum:#{sum}\n")
    @rows[spec.name] = number
  end

  # In the current folder. An installed gem's specification has lost what only a package
  # needs; io-event's has lost its extension, which JRuby must pass over.
  def complete(spec)
    if spec.name == "io-event"
      FileUtils.mkdir_p("ext")
      File.write("ext/extconf.rb", "exit if RUBY_ENGINE == \"jruby\"\n")
      spec.extensions = ["ext/extconf.rb"]
    end
    spec.authors = ["mirror"] if spec.authors.empty?
    spec.summary ||= spec.name
    spec.files = Dir["**/*"].select { |file| File.file?(file) }
    spec.executables = spec.test_files = spec.extra_rdoc_files = spec.cert_chain = []
    spec.signing_key = nil
  end
end

site, lock, *homes = ARGV
mirror = GemMirror.new(site)
specs = homes.flat_map { |home| Dir["#{home}/specifications/*.gemspec"] }.map { |file| Gem::Specification.load(file) }
specs.each { |spec| mirror.add(spec) }
wanted = Bundler::LockfileParser.new(File.read(lock)).specs
(wanted.map(&:name) - specs.map(&:name)).each do |name|
  spec = wanted.find { |each| each.name == name }
  mirror.add_empty(name, spec.version.to_s, spec.platform.to_s)
end
mirror.finish
