/** A row of the usage log and sums of rows, as routes show them. Pure. Source: docs/reference/usage.md#rows. */
import {
  type IntervalTotals,
  Money,
  type Prices,
  type Service,
  type ServiceTotals,
  type UsageRow
} from "../../platform/billing/index.ts"
import type { Instant } from "../../platform/kernel/index.ts"
import type * as Ids from "../GatewayIds.ts"

/** In the order of the columns of the CSV file. */
export interface UsageRecord {
  readonly id: Ids.UsageId
  readonly createdAt: Instant.Instant
  readonly requestId: string
  readonly keyId: Ids.KeyId | null
  readonly service: Service
  readonly model: string
  readonly status: number
  readonly units: number
  readonly unit: Prices.Unit
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheCreationTokens: number
  readonly credits: number
  readonly costUsd: number
  readonly latencyMs: number
  readonly sessionId: string | null
  readonly traceId: string | null
}

/** A quotient as the nearest double; of integers that doubles hold exactly, division is that by itself. */
const quotient = (dividend: bigint, divisor: bigint): number => {
  const largest = BigInt(Number.MAX_SAFE_INTEGER)
  if (dividend <= largest && divisor <= largest) return Number(dividend) / Number(divisor)
  const places = 20
  const fraction = ((dividend % divisor) * 10n ** BigInt(places)) / divisor
  return Number(`${dividend / divisor}.${fraction.toString().padStart(places, "0")}`)
}

/** What an amount of credits is in US dollars, to a double's precision. */
export const usdOf = (credits: Money.Nano, usdToCredits: number): number =>
  quotient(credits, Money.fromConfigured(usdToCredits))

export const recordOf = (row: UsageRow, usdToCredits: number): UsageRecord => ({
  id: row.id,
  createdAt: row.createdAt,
  requestId: row.requestId,
  keyId: row.keyId,
  service: row.service,
  model: row.model,
  status: row.httpStatus,
  units: row.units,
  unit: row.unit,
  inputTokens: row.inputTokens,
  outputTokens: row.outputTokens,
  cacheReadTokens: row.cacheReadTokens,
  cacheCreationTokens: row.cacheCreationTokens,
  credits: Money.toNumber(row.credits),
  costUsd: usdOf(row.credits, usdToCredits),
  latencyMs: row.latencyMs,
  sessionId: row.sessionId,
  traceId: row.traceId
})

/** Sums of an interval as they are shown. */
export const intervalOf = ({ credits, ...totals }: IntervalTotals, usdToCredits: number) => ({
  ...totals,
  credits: Money.toNumber(credits),
  costUsd: usdOf(credits, usdToCredits)
})

/** Figures of one service, or of all. */
export interface UsageSum {
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheCreationTokens: number
  readonly audioSeconds: number
  readonly credits: number
  readonly costUsd: number
}

type Exact = Omit<ServiceTotals, "service">

const nothing: Exact = {
  calls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheCreationTokens: 0,
  audioSeconds: 0,
  credits: 0n
}

const plus = (a: Exact, b: Exact): Exact => ({
  calls: a.calls + b.calls,
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
  cacheCreationTokens: a.cacheCreationTokens + b.cacheCreationTokens,
  audioSeconds: a.audioSeconds + b.audioSeconds,
  credits: a.credits + b.credits
})

const sumOf = (exact: Exact, usdToCredits: number): UsageSum => ({
  calls: exact.calls,
  inputTokens: exact.inputTokens,
  outputTokens: exact.outputTokens,
  cacheReadTokens: exact.cacheReadTokens,
  cacheCreationTokens: exact.cacheCreationTokens,
  audioSeconds: exact.audioSeconds,
  credits: Money.toNumber(exact.credits),
  costUsd: usdOf(exact.credits, usdToCredits)
})

/** The sums of services that were used, and their total; added up before anything is rounded. */
export const summaryOf = (
  services: ReadonlyArray<ServiceTotals>,
  usdToCredits: number
): { readonly total: UsageSum; readonly services: Readonly<Partial<Record<Service, UsageSum>>> } => ({
  total: sumOf(services.reduce(plus, nothing), usdToCredits),
  services: Object.fromEntries(services.map((totals) => [totals.service, sumOf(totals, usdToCredits)]))
})
