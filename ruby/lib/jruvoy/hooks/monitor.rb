# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "monitor"

# Monitor#enter, #synchronize and the waits of its conditions.
Jruvoy::Hooks.replace(Monitor)
