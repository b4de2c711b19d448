/** What `GET /metrics` tells, in the words of Prometheus. Source: docs/operations.md#metrics. */
import type { Trunkline } from "@trunkline/core"
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client"

export interface Metrics {
  readonly contentType: string
  readonly text: () => Promise<string>
  /** Counts one answered request. */
  readonly answered: (method: string, status: number, seconds: number) => void
}

export const metricsOf = (core: Trunkline): Metrics => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: "trunkline_http_request_duration_seconds",
    help: "Time from a request's arrival to the end of its answer",
    labelNames: ["method", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry]
  })
  new Gauge({
    name: "trunkline_workers_running",
    help: "1 while the background work of this process runs",
    registers: [registry],
    collect() {
      this.set(core.workers().running ? 1 : 0)
    }
  })
  new Gauge({
    name: "trunkline_dialer_last_pass_timestamp_seconds",
    help: "When this process's dialer last finished a pass",
    registers: [registry],
    collect() {
      this.set((core.workers().lastPassAt ?? 0) / 1000)
    }
  })
  const events = new Counter({
    name: "trunkline_events_total",
    help: "Events that this process has committed, by name",
    labelNames: ["event"],
    registers: [registry]
  })
  core.events.on("*", ({ event }) => events.inc({ event }))
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    answered: (method, status, seconds) => requests.observe({ method, status: String(status) }, seconds)
  }
}
