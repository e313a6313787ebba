# SPDX-License-Identifier: Apache-2.0
"""What the benchmarks are made of: subjects, load generators, what a round costs, cancels, and the report."""
