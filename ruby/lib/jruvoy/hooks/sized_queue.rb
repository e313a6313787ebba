# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

# SizedQueue#pop and #push.
Jruvoy::Hooks.replace(Thread::SizedQueue)
