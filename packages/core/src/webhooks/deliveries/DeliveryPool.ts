/** What one process has under way: the deliveries that it holds, its slots, and how each endpoint answered last. */
import { LruCache } from "../../platform/kernel/index.ts"
import type { DeliveryLimits } from "../WebhookSettings.ts"
import type * as Ids from "../WebhooksIds.ts"
import { ClaimAhead } from "./ClaimAhead.ts"
import type { DeliveryStatus, Outcome } from "./Delivery.ts"
import { availableSlots, isRisky, type PoolState } from "./FairScheduler.ts"

/** Endpoints whose last outcome is remembered. */
const maxRemembered = 10_000

export type FinalStatus = Exclude<DeliveryStatus, "pending">

/** What the pool knows of a claimed delivery; `attempts` counts the one that begins. */
interface Claimed {
  readonly id: Ids.DeliveryId
  readonly webhookId: Ids.WebhookId
  readonly attempts: number
}

export class DeliveryPool implements PoolState {
  /** Deliveries that are claimed and wait for a slot. */
  readonly ahead: ClaimAhead
  readonly #limits: DeliveryLimits
  /** Claims whose end is not written, by delivery: one that has expired may be followed by another of this process. */
  readonly #held = new Map<Ids.DeliveryId, number>()
  /** Attempts under way. */
  readonly #attempts = new Map<Ids.WebhookId, number>()
  readonly #risky = new Set<Ids.DeliveryId>()
  readonly #healthy = new LruCache<Ids.WebhookId, true>(maxRemembered)
  readonly #suspect = new LruCache<Ids.WebhookId, true>(maxRemembered)
  readonly #ended: Record<FinalStatus, number> = { delivered: 0, failed: 0, blocked: 0 }
  #usedSlots = 0
  #finished = 0

  constructor(limits: DeliveryLimits) {
    this.#limits = limits
    this.ahead = new ClaimAhead(limits.slots)
  }

  get usedSlots(): number {
    return this.#usedSlots
  }

  get riskySlots(): number {
    return this.#risky.size
  }

  get freeSlots(): number {
    return this.#limits.slots - this.#usedSlots
  }

  get aheadSlots(): number {
    return this.ahead.room
  }

  /** Attempts that have ended since the process began. */
  get finished(): number {
    return this.#finished
  }

  /** Deliveries whose attempts are under way, and whose ends are not written. */
  get held(): number {
    return [...this.#held.values()].reduce((sum, claims) => sum + claims, 0)
  }

  get ended(): Readonly<Record<FinalStatus, number>> {
    return { ...this.#ended }
  }

  attemptsTo(webhookId: Ids.WebhookId): number {
    return this.#running(webhookId) + this.ahead.waitingFor(webhookId)
  }

  isHealthy(webhookId: Ids.WebhookId): boolean {
    return this.#healthy.has(webhookId)
  }

  isSuspect(webhookId: Ids.WebhookId): boolean {
    return this.#suspect.has(webhookId)
  }

  has(id: Ids.DeliveryId): boolean {
    return this.#held.has(id) || this.ahead.has(id)
  }

  /** Endpoints that may have no further attempt now. */
  get fullEndpoints(): ReadonlyArray<Ids.WebhookId> {
    const endpoints = new Set([...this.#attempts.keys(), ...this.ahead.endpoints])
    return [...endpoints].filter((webhookId) => availableSlots(webhookId, this.#limits, this) === 0)
  }

  get suspectEndpoints(): ReadonlyArray<Ids.WebhookId> {
    return this.#suspect.keys()
  }

  /** Holds a delivery without a slot: no attempt follows, only its end. */
  add({ id }: Pick<Claimed, "id">): void {
    this.#held.set(id, (this.#held.get(id) ?? 0) + 1)
  }

  /** Holds a delivery and occupies a slot for its attempt. */
  begin(delivery: Claimed): void {
    const { attempts, id, webhookId } = delivery
    this.add(delivery)
    this.#attempts.set(webhookId, this.#running(webhookId) + 1)
    this.#usedSlots += 1
    if (isRisky({ attempts: attempts - 1, webhookId }, this)) this.#risky.add(id)
  }

  /** Frees the slot and remembers how the endpoint answered. The delivery stays held until its end is written. */
  finish({ id, webhookId }: Claimed, { _tag }: Outcome): void {
    const others = this.#running(webhookId) - 1
    if (others <= 0) this.#attempts.delete(webhookId)
    else this.#attempts.set(webhookId, others)
    this.#usedSlots -= 1
    this.#finished += 1
    this.#risky.delete(id)
    const [now, before] = _tag === "Failed" ? [this.#suspect, this.#healthy] : [this.#healthy, this.#suspect]
    before.delete(webhookId)
    now.set(webhookId, true)
  }

  /** Counts a delivery that this process has ended. */
  count(status: DeliveryStatus): void {
    if (status !== "pending") this.#ended[status] += 1
  }

  /** The end of a claim is written, or the delivery has a newer claim by now. */
  release({ id }: Pick<Claimed, "id">): void {
    const others = (this.#held.get(id) ?? 0) - 1
    if (others <= 0) this.#held.delete(id)
    else this.#held.set(id, others)
  }

  #running(webhookId: Ids.WebhookId): number {
    return this.#attempts.get(webhookId) ?? 0
  }
}
