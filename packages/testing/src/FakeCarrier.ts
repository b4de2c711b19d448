/** A carrier for tests: it does what the test says, remembers what really happened, and logs every request. */

import {
  type AnsweredBy,
  CallbackRefused,
  type CallNews,
  type CallRef,
  CallRefused,
  type CallReport,
  Carrier,
  CarrierSilent,
  type CarrierTraits,
  type FinalStatus,
  type Found,
  type Ids,
  Instant,
  type NamedCall,
  PhoneNumber,
  type VoicemailMessage
} from "@trunkline/core/provider"
import type { CallOrder } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** What the carrier does with an order. */
export type OnPlace =
  | "accept"
  /** It takes the call, and its answer is lost. */
  | "lose_answer"
  /** It never hears of the order. */
  | "lose_order"
  | CallRefused["reason"]

export interface CarrierCall {
  readonly order: CallOrder
  readonly providerCallId: string
  readonly placedAt: Instant.Instant
  status: "queued" | "dialing" | "ringing" | "in_progress" | FinalStatus
  rang: boolean
  answeredAt: Instant.Instant | null
  answeredBy: AnsweredBy | null
  endedAt: Instant.Instant | null
  by: "remote" | "local" | null
  message: VoicemailMessage | null
}

export interface CarrierRequest {
  readonly kind: "place" | "end" | "message" | "find"
  readonly at: Instant.Instant
  readonly callId: Ids.CallId
  readonly to: string
}

export interface FakeCarrierOptions extends Partial<CarrierTraits> {
  readonly onPlace?: (order: CallOrder, nth: number) => OnPlace
  /** How a call is found whose id at the carrier is not known: by our id, or by its number and time alone. */
  readonly findsBy?: "call id" | "number"
  /** Whether it connects the sound of calls. */
  readonly hasMedia?: boolean
  /** Runs before anything else of a request: a test may crash the process here. */
  readonly before?: (request: CarrierRequest) => Effect.Effect<void>
  /** Runs after the carrier has acted and before it answers. */
  readonly after?: (request: CarrierRequest) => Effect.Effect<void>
}

const ended = (call: CarrierCall): boolean => call.endedAt !== null

/** How far a call that is found by its number may lie from the instant at which the carrier was asked. */
const recognitionMs = 5 * Instant.minute

/** One telephone network. It outlives the processes that use it. */
export class FakeNetwork {
  readonly log: Array<CarrierRequest> = []
  readonly calls = new Map<Ids.CallId, CarrierCall>()
  /** Reports not yet delivered, in the order in which things happened. */
  readonly pending: Array<CallReport> = []
  /** Until when the carrier answers no request; whether it still does what it is asked for. */
  outage: { readonly until: Instant.Instant; readonly acts: boolean } | null = null

  openCalls(): ReadonlyArray<CarrierCall> {
    return [...this.calls.values()].filter((call) => !ended(call))
  }

  accept(order: CallOrder, at: Instant.Instant): CarrierCall {
    const call: CarrierCall = {
      order,
      providerCallId: `FAKE-${order.callId}`,
      placedAt: at,
      status: "queued",
      rang: false,
      answeredAt: null,
      answeredBy: null,
      endedAt: null,
      by: null,
      message: null
    }
    this.calls.set(order.callId, call)
    return call
  }

  #report(call: CarrierCall, news: CallNews, at: Instant.Instant): void {
    this.pending.push({ callId: call.order.callId, providerCallId: call.providerCallId, at, news })
  }

  ring(call: CarrierCall, at: Instant.Instant): void {
    if (ended(call) || call.rang) return
    call.status = "ringing"
    call.rang = true
    this.#report(call, { _tag: "Ringing" }, at)
  }

  answer(call: CarrierCall, by: AnsweredBy, at: Instant.Instant): void {
    if (ended(call) || call.answeredAt !== null) return
    this.ring(call, at)
    call.status = "in_progress"
    call.answeredAt = at
    this.#report(call, { _tag: "Answered" }, at)
    if (!call.order.detectMachine) return
    call.answeredBy = by
    this.#report(call, { _tag: "Detected", answeredBy: by }, at)
  }

  end(call: CarrierCall, status: FinalStatus, by: "remote" | "local" | null, at: Instant.Instant): void {
    if (ended(call)) return
    call.status = call.answeredAt === null ? status : "completed"
    call.endedAt = at
    call.by = by
    this.#report(call, this.#ending(call), at)
  }

  #ending(call: CarrierCall): CallNews {
    return {
      _tag: "Ended",
      status: call.status as FinalStatus,
      failure: call.status === "failed" ? "provider_error" : null,
      durationSeconds: call.answeredAt === null ? 0 : Math.round((call.endedAt! - call.answeredAt) / 1000),
      by: call.by,
      rang: call.rang
    }
  }

  /** The record of the call with this id of the carrier's. */
  named(providerCallId: string): CarrierCall | undefined {
    return [...this.calls.values()].find((call) => call.providerCallId === providerCallId)
  }

  /** Calls that may be the one of an order whose answer was lost, judged by number and time. */
  similar({ askedAt, to }: CallRef): ReadonlyArray<CarrierCall> {
    const key = PhoneNumber.usable(to)!.key
    return [...this.calls.values()].filter(
      ({ order, placedAt }) =>
        PhoneNumber.samePerson(PhoneNumber.usable(order.to)!.key, key) && Math.abs(placedAt - askedAt) <= recognitionMs
    )
  }

  /** The carrier's own record of a call, as one report. */
  record(call: CarrierCall): CallReport {
    const news: CallNews = ended(call)
      ? this.#ending(call)
      : call.answeredAt !== null
        ? call.answeredBy !== null
          ? { _tag: "Detected", answeredBy: call.answeredBy }
          : { _tag: "Answered" }
        : call.rang
          ? { _tag: "Ringing" }
          : { _tag: "Queued" }
    const at = call.endedAt ?? call.answeredAt ?? call.placedAt
    return { callId: call.order.callId, providerCallId: call.providerCallId, at, news }
  }
}

/** A process's line to the network. */
export const fakeCarrier = (network: FakeNetwork, options: FakeCarrierOptions = {}): Carrier["Service"] => {
  const {
    after = () => Effect.void,
    before = () => Effect.void,
    findsBy = "call id",
    hasMedia = false,
    onPlace = () => "accept",
    ...traits
  } = options
  let placed = 0

  const request = <A, E>(
    kind: CarrierRequest["kind"],
    ref: { readonly callId: Ids.CallId; readonly to: string },
    act: (at: Instant.Instant) => Effect.Effect<A, E>
  ): Effect.Effect<A, E | CarrierSilent> =>
    Effect.gen(function* () {
      const at = yield* Instant.now
      const entry: CarrierRequest = { kind, at, callId: ref.callId, to: ref.to }
      yield* before(entry)
      network.log.push(entry)
      const outage = network.outage !== null && at < network.outage.until ? network.outage : null
      const silent = new CarrierSilent({ detail: "no answer" })
      if (outage?.acts === false) return yield* silent
      const exit = yield* Effect.exit(act(at))
      yield* after(entry)
      return yield* outage === null ? exit : silent
    })

  const place = (
    order: CallOrder,
    at: Instant.Instant
  ): Effect.Effect<{ readonly providerCallId: string }, CallRefused | CarrierSilent> => {
    placed += 1
    const what = onPlace(order, placed)
    switch (what) {
      case "accept":
        return Effect.succeed({ providerCallId: network.accept(order, at).providerCallId })
      case "lose_answer":
        network.accept(order, at)
        return Effect.fail(new CarrierSilent({ detail: "the answer was lost" }))
      case "lose_order":
        return Effect.fail(new CarrierSilent({ detail: "the order was lost" }))
      default:
        return Effect.fail(new CallRefused({ reason: what, detail: "the fake says so", retryAfterMs: null }))
    }
  }

  const withCall = (ref: NamedCall, act: (call: CarrierCall) => void): Effect.Effect<CallReport | null> =>
    Effect.sync(() => {
      const call = network.named(ref.providerCallId)
      if (call === undefined) return null
      act(call)
      return reportOf(ref, call)
    })

  const reportOf = (ref: CallRef, call: CarrierCall): CallReport => ({ ...network.record(call), callId: ref.callId })

  const find = (ref: CallRef): Found => {
    const isCertain = ref.providerCallId !== null || findsBy === "call id"
    const found = ref.providerCallId === null ? network.calls.get(ref.callId) : network.named(ref.providerCallId)
    const reports = (isCertain ? [found] : network.similar(ref))
      .filter((call) => call !== undefined)
      .map((call) => reportOf(ref, call))
    const [report] = reports
    if (report === undefined) return { _tag: "Nothing" }
    return isCertain ? { _tag: "Record", report } : { _tag: "Candidates", reports }
  }

  return {
    traits: {
      name: "fake",
      startsPerSecond: null,
      needsCaller: false,
      defaultFrom: null,
      proof: { lookUps: 1, overMs: 0 },
      silenceMs: 60_000,
      ...traits
    },
    place: (permit) => request("place", permit, (at) => place(permit, at)),
    end: (ref) => request("end", ref, (at) => withCall(ref, (call) => network.end(call, "canceled", "local", at))),
    leaveMessage: (ref, message) =>
      request("message", ref, (at) =>
        Effect.asVoid(
          withCall(ref, (call) => {
            call.message = message
            network.end(call, "completed", "local", at)
          })
        )
      ),
    find: (ref) => request("find", ref, () => Effect.succeed(find(ref))),
    ...(findsBy === "number"
      ? {
          findAll: (ref: CallRef) =>
            request("find", ref, () => Effect.succeed(network.similar(ref).map((call) => reportOf(ref, call))))
        }
      : {}),
    read: () => Effect.fail(new CallbackRefused({ reason: "unsupported", detail: "the fake takes no callbacks" })),
    listen: () => Effect.void,
    ...(hasMedia ? { sockets: () => [] } : {})
  }
}

export const layerFakeCarrier = (network: FakeNetwork, options?: FakeCarrierOptions) =>
  Layer.succeed(Carrier, fakeCarrier(network, options))
