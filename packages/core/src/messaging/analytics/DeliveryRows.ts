/** What became of messages, by interval. Pure. Source: docs/reference/analytics.md#delivery. */
import type { Instant } from "../../platform/kernel/index.ts"
import type { MessageStatus } from "../messages/index.ts"

/** Messages of one interval with the same status. */
export interface StatusCount {
  /** The interval's place in its period, from 0. */
  readonly place: number
  readonly status: MessageStatus
  /** The network's code of a message that has failed; null where it has none, and of every other message. */
  readonly code: number | null
  readonly count: number
}

export interface FailureCode {
  readonly code: number | null
  readonly count: number
}

/** A message that was read was delivered and sent. */
export interface DeliveryRow {
  readonly start: Instant.Instant
  /** Accepted by the channel's network, and not failed since. */
  readonly sent: number
  readonly delivered: number
  readonly read: number
  readonly failed: number
  readonly received: number
  /** The most frequent ones first, at most 20. */
  readonly failures: ReadonlyArray<FailureCode>
}

const maxFailures = 20

type Counted = "sent" | "delivered" | "read" | "failed" | "received"

/** What is on its way counts nowhere. A message of which nobody knows is shown as failed, and counts so. */
const countedAs: Readonly<Record<MessageStatus, ReadonlyArray<Counted>>> = {
  received: ["received"],
  queued: [],
  sending: [],
  sent: ["sent"],
  delivered: ["sent", "delivered"],
  read: ["sent", "delivered", "read"],
  failed: ["failed"],
  unknown: ["failed"]
}

/** Of codes that are as frequent the smallest comes first, and what has none last. */
const moreFrequent = (a: FailureCode, b: FailureCode): number =>
  b.count - a.count || (a.code ?? Number.POSITIVE_INFINITY) - (b.code ?? Number.POSITIVE_INFINITY)

const rowOf = (start: Instant.Instant, counts: ReadonlyArray<StatusCount>): DeliveryRow => {
  const row = { sent: 0, delivered: 0, read: 0, failed: 0, received: 0 }
  const failures = new Map<number | null, number>()
  for (const { code, count, status } of counts) {
    for (const name of countedAs[status]) row[name] += count
    if (countedAs[status].includes("failed")) failures.set(code, (failures.get(code) ?? 0) + count)
  }
  const codes = [...failures].map(([code, count]): FailureCode => ({ code, count }))
  return { start, ...row, failures: codes.sort(moreFrequent).slice(0, maxFailures) }
}

/** A row for each interval, also for those without messages. */
export const deliveryRows = (
  starts: ReadonlyArray<Instant.Instant>,
  counts: ReadonlyArray<StatusCount>
): ReadonlyArray<DeliveryRow> => {
  const byPlace = Map.groupBy(counts, ({ place }) => place)
  return starts.map((start, place) => rowOf(start, byPlace.get(place) ?? []))
}
