# SPDX-License-Identifier: Apache-2.0
# frozen_string_literal: true

# Notes in a database. Set it up once, then serve it and open http://127.0.0.1:8080/:
#
#     scripts/setup --notes
#     bin/jruvoy serve --gem-path build/notes/gems examples/notes/config.ru
#
# The notes are in notes.db beside this file, or in the PostgreSQL that DATABASE_URL names; see docs/databases.md.

require_relative "database"
require_relative "notes"

# Nobody inside waits for a connection; the others wait here, first come first served.
use Jruvoy::Door, DB.pool.max_size
run Notes.freeze.app
