/** How the metrics of alerts are read: rates as percent, the others in their units. Pure. */
import type { VoiceAlert } from "@trunkline/client"

type Metric = VoiceAlert["metric"]

type Unit = "percent" | "calls" | "ms" | "seconds"

const units: Readonly<Record<Metric, Unit>> = {
  connect_rate: "percent",
  failure_rate: "percent",
  call_volume: "calls",
  session_failure_rate: "percent",
  hangup_rate: "percent",
  latency_p95: "ms",
  average_duration: "seconds"
}

export const metrics = Object.keys(units) as ReadonlyArray<Metric>

/** A metric that is newer than the page has its number alone. */
export const unitOf = (metric: string): Unit | null => (units as Readonly<Record<string, Unit>>)[metric] ?? null

const factorOf = (metric: string): number => (unitOf(metric) === "percent" ? 100 : 1)

/** As few digits as keep the number: 0.07 times 100 is 7. */
const rounded = (value: number): number => Number(value.toPrecision(12))

export const shownValue = (metric: string, value: number): number => rounded(value * factorOf(metric))

export const storedValue = (metric: string, shown: number): number => rounded(shown / factorOf(metric))

export const minutesOf = (seconds: number): number => rounded(seconds / 60)

/** Whole seconds, as they are stored. */
export const secondsOf = (minutes: number): number => Math.round(minutes * 60)
