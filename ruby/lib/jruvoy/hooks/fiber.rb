# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

# Fiber#transfer and Fiber#raise: a fiber that was cancelled can wait again, and an
# Enumerator that slept can be resumed again.
Jruvoy::Owner.repair_fiber

# Thread#raise and #kill of a fiber's thread: delivered by the scheduler.
Jruvoy::Owner.repair_thread
