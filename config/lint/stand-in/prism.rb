# SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

# RuboCop names the prism gem, a C extension that JRuby cannot load, in its class definitions, even when it parses with
# the parser gem. This is as much of prism as that needs; see rubocop.yml.

require "parser"

module Prism
  VERSION = "1.7.0"

  module Translation
    module Parser
      # Never made: the parser gem makes its own.
      class Builder < ::Parser::Builders::Default
      end
    end
  end
end
