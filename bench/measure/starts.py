# SPDX-License-Identifier: Apache-2.0
"""From the start of the command to the first answer, several times."""

from . import campaign, subjects


def measure(count):
    """Seconds of each start of our hello world (also of the clone before), and of the Envoy with direct_response."""
    timed = {name: [] for name in ("hello", "before", "direct_response") if name in subjects.ALL}
    for index in range(count):
        for name, seconds in timed.items():
            server = subjects.ALL[name]()
            try:
                seconds.append(server.start())
                campaign.show(f"start {index + 1}/{count} {name}: {seconds[-1]:.2f} s")
            finally:
                server.stop()
    return timed
