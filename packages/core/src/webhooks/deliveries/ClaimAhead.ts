/**
 * Deliveries that are claimed before there is a slot for them: without them slots would be empty while the next claim is made.
 * How many follows from how many attempts end during a claim, so that none waits long and slow endpoints have none waiting.
 */
import { Instant } from "../../platform/kernel/index.ts"
import type * as Ids from "../WebhooksIds.ts"
import type { ClaimedDelivery } from "./DeliveryStore.ts"

/**
 * A claim that has waited for longer is released. A subscription may be paused or changed meanwhile: what is sent to it is
 * no older than this. Source: docs/reference/webhooks.md#pausing.
 */
const maxWaitMs = Instant.second / 4

export interface Claim {
  readonly row: ClaimedDelivery
  readonly claim: string
  /** The instant of the claim. */
  readonly at: Instant.Instant
  /** When this process had it. */
  readonly since: Instant.Instant
}

export class ClaimAhead {
  readonly #limit: number
  readonly #waiting = new Map<Ids.DeliveryId, Claim>()
  readonly #byEndpoint = new Map<Ids.WebhookId, number>()
  #size = 0

  /** At most `limit` deliveries wait. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** How many more may be claimed without a slot. */
  get room(): number {
    return Math.max(0, this.#size - this.#waiting.size)
  }

  /** Half of them are begun: the next claim is to be made while the others wait. */
  get isLow(): boolean {
    return this.#waiting.size < this.#size / 2
  }

  has(id: Ids.DeliveryId): boolean {
    return this.#waiting.has(id)
  }

  waitingFor(webhookId: Ids.WebhookId): number {
    return this.#byEndpoint.get(webhookId) ?? 0
  }

  get endpoints(): Iterable<Ids.WebhookId> {
    return this.#byEndpoint.keys()
  }

  /** While the last claim was made this number of attempts ended: as many wait for the next, and as many again until it is made. */
  adapt(ended: number): void {
    this.#size = Math.min(this.#limit, 2 * ended)
  }

  add(claim: Claim): void {
    const { id, webhookId } = claim.row
    this.#waiting.set(id, claim)
    this.#byEndpoint.set(webhookId, this.waitingFor(webhookId) + 1)
  }

  /** Removes the first. */
  take(): Claim | undefined {
    const [first] = this.#waiting.values()
    if (first !== undefined) this.#remove(first)
    return first
  }

  /** Removes those that have waited for too long. */
  takeStale(at: Instant.Instant): ReadonlyArray<Claim> {
    return this.#takeWhere((claim) => isStale(claim, at))
  }

  takeAll(): ReadonlyArray<Claim> {
    return this.#takeWhere(() => true)
  }

  #takeWhere(which: (claim: Claim) => boolean): ReadonlyArray<Claim> {
    const taken = [...this.#waiting.values()].filter(which)
    for (const claim of taken) this.#remove(claim)
    return taken
  }

  #remove({ row: { id, webhookId } }: Claim): void {
    this.#waiting.delete(id)
    const others = this.waitingFor(webhookId) - 1
    if (others === 0) this.#byEndpoint.delete(webhookId)
    else this.#byEndpoint.set(webhookId, others)
  }
}

/** True of a claim under which no attempt may begin any more. */
export const isStale = ({ since }: Claim, at: Instant.Instant): boolean => at > Instant.plus(since, maxWaitMs)
