# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

# Queue#pop.
Jruvoy::Hooks.replace(Thread::Queue)
