# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

# Mutex#lock, #synchronize and #sleep.
Jruvoy::Hooks.replace(Thread::Mutex)
