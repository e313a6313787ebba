# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

# Fiber#transfer and Fiber#raise: a fiber that was cancelled can wait again, and an
# Enumerator that slept can be resumed again.
Jruvoy::Owner.repair_fiber
