# SPDX-License-Identifier: Apache-2.0
"""What bench/quick is made of: subjects, load generators, what a round costs, and the report."""
