/**
 * Selects which of the due deliveries are attempted now. Every endpoint has a limit of its own, so that a slow one delays no
 * other, and some slots are reserved for first attempts to endpoints that answer, so that endpoints that do not answer never
 * occupy all slots, however many they are. Pure.
 */

import type { DeliveryLimits } from "../WebhookSettings.ts"
import type * as Ids from "../WebhooksIds.ts"

export interface Candidate {
  readonly id: Ids.DeliveryId
  readonly webhookId: Ids.WebhookId
  /** Attempts before this one. */
  readonly attempts: number
}

/** The attempts under way in this process. */
export interface PoolState {
  readonly usedSlots: number
  /** Slots in use by attempts that may take long: see `isRisky`. */
  readonly riskySlots: number
  /** How many deliveries may be claimed beyond the free slots, to wait for one: first attempts to healthy endpoints. */
  readonly aheadSlots: number
  /** Attempts to an endpoint that are under way, or claimed and waiting for a slot. */
  readonly attemptsTo: (webhookId: Ids.WebhookId) => number
  /** True of an endpoint whose last attempt from this process was answered: the others get one attempt at a time. */
  readonly isHealthy: (webhookId: Ids.WebhookId) => boolean
  /** True of an endpoint whose last attempt from this process was not answered. */
  readonly isSuspect: (webhookId: Ids.WebhookId) => boolean
  /** True of a delivery whose end this process has yet to write, although its claim may have expired. */
  readonly has: (id: Ids.DeliveryId) => boolean
}

/** How many more attempts an endpoint may have now. */
export const availableSlots = (
  webhookId: Ids.WebhookId,
  { perEndpoint }: Pick<DeliveryLimits, "perEndpoint">,
  pool: Pick<PoolState, "attemptsTo" | "isHealthy">
): number => Math.max(0, (pool.isHealthy(webhookId) ? perEndpoint : 1) - pool.attemptsTo(webhookId))

/** True of a retry, and of any attempt to a suspect endpoint. */
export const isRisky = ({ attempts, webhookId }: Omit<Candidate, "id">, pool: Pick<PoolState, "isSuspect">): boolean =>
  attempts > 0 || pool.isSuspect(webhookId)

/** The candidates in turn: the first of every endpoint, then the second of every endpoint that may have another, and so on. */
const inTurn = <C extends Candidate>(
  candidates: ReadonlyArray<C>,
  limitOf: (webhookId: Ids.WebhookId) => number
): ReadonlyArray<C> => {
  const queues = [...Map.groupBy(candidates, ({ webhookId }) => webhookId)].map(([webhookId, queue]) =>
    queue.slice(0, limitOf(webhookId))
  )
  const rounds = Math.max(0, ...queues.map(({ length }) => length))
  return Array.from({ length: rounds }, (_, round) => queues.flatMap((queue) => queue.slice(round, round + 1))).flat()
}

/**
 * Selects in the order of the candidates, endpoint by endpoint in turn: none gets its second before each had its first. Those
 * that fit into free slots come first.
 */
export const selectDeliveries = <C extends Candidate>(
  candidates: ReadonlyArray<C>,
  limits: DeliveryLimits,
  pool: PoolState
): ReadonlyArray<C> => {
  const free = candidates.filter(({ id }) => !pool.has(id))
  let slots = limits.slots - pool.usedSlots
  const mayWait = ({ webhookId }: C, risky: boolean) => !risky && pool.isHealthy(webhookId)
  let riskySlots = limits.slots - limits.reservedSlots - pool.riskySlots
  return inTurn(free, (webhookId) => availableSlots(webhookId, limits, pool)).filter((candidate) => {
    const risky = isRisky(candidate, pool)
    const available = slots + (mayWait(candidate, risky) ? pool.aheadSlots : 0)
    if (available <= 0 || (risky && riskySlots <= 0)) return false
    slots -= 1
    if (risky) riskySlots -= 1
    return true
  })
}
