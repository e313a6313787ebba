# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

# Thread#join and #value.
Jruvoy::Owner.hook_join
