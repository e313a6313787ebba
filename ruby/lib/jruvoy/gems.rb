# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

module Jruvoy
  # Makes the app's gems and the server's loadable together. Without a Gemfile both come from
  # the gem path; with one Bundler decides, and the server adds what the bundle lacks.
  class Gems
    # What the server needs, and which versions of it.
    NEEDED = {
      "rack" => ">= 3.1, < 4",
      "async" => ">= 2.36, < 3",
      "io-event" => ">= 1.11, < 2"
    }.freeze

    # Gems that come with those.
    COMPANIONS = %w[console fiber-annotation fiber-local fiber-storage metrics traces].freeze

    # @parameter home [String] The server's folder; its own gems are in `gems` below it.
    # @parameter gem_path [Array(String)] Folders to search before those.
    # @parameter gemfile [String | Nil] The app's Gemfile.
    def initialize(home:, gem_path:, gemfile:)
      @own = File.join(home, "gems")
      # JRuby's own gems, such as bigdecimal and csv, come last.
      @paths = gem_path + [@own, Gem.default_dir]
      @gemfile = gemfile
    end

    # @raises [GemConflict] A gem of the bundle is of a version that the server cannot use.
    def activate
      Gem.paths = {"GEM_HOME" => @own, "GEM_PATH" => @paths.join(File::PATH_SEPARATOR)}
      if @gemfile
        bundle
      elsif @paths.first == @own
        own_folders
      end
      require "rack"
    end

    private

    # Without gems of the app there is no choice to make: RubyGems, which would read a gemspec
    # for each, takes a tenth of the whole start for that. It still knows them when asked.
    def own_folders
      $LOAD_PATH.concat(Dir.glob(File.join(@own, "gems", "*", "lib")))
    end

    def bundle
      own = own_specifications
      ENV["BUNDLE_GEMFILE"] = @gemfile
      require "bundler"
      Bundler.setup
      NEEDED.each { |name, range| check(name, range, own[name]) }
      own.each { |name, specification| add(specification) unless Gem.loaded_specs.key?(name) }
    end

    def check(name, range, own)
      loaded = Gem.loaded_specs[name] or return
      return if Gem::Requirement.new(*range.split(", ")).satisfied_by?(loaded.version)

      raise GemConflict, "the Gemfile's #{name} #{loaded.version} does not go with Jruvoy, " \
                         "which needs #{name} #{range} (its own is #{own&.version})"
    end

    # Bundler hides gems that are not in the bundle, so ours go to the end of the load path.
    def add(specification)
      $LOAD_PATH.concat(specification.full_require_paths - $LOAD_PATH)
    end

    def own_specifications
      names = NEEDED.keys + COMPANIONS
      Dir.glob(File.join(@own, "specifications", "*.gemspec"))
         .filter_map { |path| Gem::Specification.load(path) }
         .select { |specification| names.include?(specification.name) }
         .to_h { |specification| [specification.name, specification] }
    end
  end
end
