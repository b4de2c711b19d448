/** What a process counts about itself, in the format of Prometheus. Source: docs/reference/operations.md#metrics. */
import { createRequire } from "node:module"
import { prometheusText, type Trunkline } from "@trunkline/core"
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client"

export interface Metrics {
  readonly contentType: string
  readonly text: () => Promise<string>
  /** Counts one request that has ended. */
  readonly ended: (request: Ended) => void
}

export interface Ended {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly seconds: number
}

const { version } = createRequire(import.meta.url)("../package.json") as { readonly version: string }

/** Methods that have a label of their own; a client may send any number of others. */
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/** Gauges of the client library under names of counters; the same figures stand under `nodejs_active_resources` and its like. */
const misnamed = ["nodejs_active_handles_total", "nodejs_active_requests_total", "nodejs_active_resources_total"]

/** The word of the contract that a path begins with: never an id, so that the number of series has an end. */
const groupOf = (core: Trunkline, own: ReadonlySet<string>, path: string): string => {
  if (own.has(path)) return path.slice(1) || "root"
  return core.matches(path) ? (/^\/(?:openai\/|api\/)?v\d+\/([^/]+)/.exec(path)?.[1] ?? "other") : "unknown"
}

export const metricsOf = (core: Trunkline, own: ReadonlySet<string>): Metrics => {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  for (const name of misnamed) registry.removeSingleMetric(name)
  new Gauge({
    name: "trunkline_build_info",
    help: "1, with the version of the server",
    labelNames: ["version"],
    registers
  }).set({ version }, 1)
  const requests = new Histogram({
    name: "trunkline_http_request_duration_seconds",
    help: "Time from a request's head to the end of its answer",
    labelNames: ["route", "method", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers
  })
  return {
    contentType: registry.contentType,
    text: async () => (await registry.metrics()) + prometheusText(await core.metrics()),
    ended: ({ method, path, seconds, status }) =>
      requests.observe(
        {
          route: groupOf(core, own, path),
          method: methods.has(method) ? method : "other",
          status: String(status)
        },
        seconds
      )
  }
}
