-- SPDX-License-Identifier: Apache-2.0
-- Prints what wrk saw as one line of JSON. Only the first thread counts statuses: run wrk with -t1.
local threads = {}
statuses = {}

function setup(thread)
  table.insert(threads, thread)
end

function response(status)
  statuses[status] = (statuses[status] or 0) + 1
end

function done(summary, latency)
  local parts = {}
  for status, count in pairs(threads[1]:get("statuses")) do
    table.insert(parts, string.format('"%d": %d', status, count))
  end
  print(string.format('{"requests": %d, "seconds": %.6f, "p50_ms": %.3f, "p99_ms": %.3f, "statuses": {%s}}',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    table.concat(parts, ", ")))
end
