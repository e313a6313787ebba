# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

# ConditionVariable#wait.
Jruvoy::Hooks.replace(Thread::ConditionVariable)
