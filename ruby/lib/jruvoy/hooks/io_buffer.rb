# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

module Jruvoy
  module Hooks
    # JRuby's IO::Buffer.for begins at the wrong byte when the string is a piece of another one, as what was read of a
    # request's body often is. A copy is nobody's piece.
    module BufferFor
      # @parameter string [String] Its bytes.
      # @yields {|buffer| ...} A buffer that writes to the string, unless that is frozen.
      def for(string, &)
        writes = block_given? && !string.frozen?
        super(writes ? string : "".b << string.b, &)
      end
    end

    IO::Buffer.singleton_class.prepend(BufferFor)
  end
end
