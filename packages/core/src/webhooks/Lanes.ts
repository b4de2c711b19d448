/**
 * Which of the due deliveries are attempted now. Every endpoint has a lane of its own, so that a slow one holds up nobody
 * else, and a part of the places is kept for first attempts to endpoints that answer, so that dead ones never take them
 * all, however many they are. Pure.
 */
import type { Ids } from "../kernel/index.ts"

export interface Candidate {
  readonly id: Ids.DeliveryId
  readonly webhookId: Ids.WebhookId
  readonly attempts: number
}

export interface Limits {
  /** Attempts at a time in this process. */
  readonly places: number
  /** Of these, how many are for first attempts to endpoints that answer. */
  readonly firstOnly: number
  /** Attempts at a time to one endpoint. */
  readonly perEndpoint: number
}

/** What is under way in this process. */
export interface Busy {
  readonly places: number
  /** Of these, those that may well take long: see `isRisky`. */
  readonly risky: number
  /** Attempts under way to an endpoint. */
  readonly of: (webhookId: Ids.WebhookId) => number
  /** True of an endpoint that has answered this process, and did so the last time: the others get one attempt at a time. */
  readonly isTrusted: (webhookId: Ids.WebhookId) => boolean
  /** True of an endpoint whose last attempt had no answer. */
  readonly isDoubtful: (webhookId: Ids.WebhookId) => boolean
  /** Held by this process although its claim may have run out: an end that could not be written yet. */
  readonly holds: (id: Ids.DeliveryId) => boolean
}

/** How many attempts an endpoint may have at a time. */
export const roomOf = ({ perEndpoint }: Limits, busy: Busy, webhookId: Ids.WebhookId): number =>
  Math.max(0, (busy.isTrusted(webhookId) ? perEndpoint : 1) - busy.of(webhookId))

/** True of a retry, and of any attempt to an endpoint that has just not answered. */
export const isRisky = ({ attempts, webhookId }: Omit<Candidate, "id">, busy: Pick<Busy, "isDoubtful">): boolean =>
  attempts > 0 || busy.isDoubtful(webhookId)

/** Chooses in the order of the candidates, lane by lane in turn: no lane gets its second before every lane had its first. */
export const choose = <C extends Candidate>(
  candidates: ReadonlyArray<C>,
  limits: Limits,
  busy: Busy
): ReadonlyArray<C> => {
  const lanes = new Map<Ids.WebhookId, Array<C>>()
  for (const candidate of candidates) {
    if (busy.holds(candidate.id)) continue
    const lane = lanes.get(candidate.webhookId)
    if (lane === undefined) lanes.set(candidate.webhookId, [candidate])
    else lane.push(candidate)
  }
  let places = limits.places - busy.places
  let risky = limits.places - limits.firstOnly - busy.risky
  const chosen: Array<C> = []
  for (let turn = 0; places > 0; turn++) {
    let any = false
    for (const [webhookId, lane] of lanes) {
      const candidate = lane[turn]
      if (candidate === undefined || turn >= roomOf(limits, busy, webhookId) || places === 0) continue
      any = true
      if (isRisky(candidate, busy)) {
        if (risky <= 0) continue
        risky -= 1
      }
      places -= 1
      chosen.push(candidate)
    }
    if (!any) break
  }
  return chosen
}
