/** The port to a telephone network: what the product asks of a carrier and what a carrier reports. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { Instant } from "../../platform/kernel/index.ts"
import type { CallbackRules, SocketRefused, SocketRequest, SocketRoute } from "../../platform/room/index.ts"
import type * as Ids from "../CallingIds.ts"
import type { CallNews } from "./CallNews.ts"

/** What the callee hears once the call is answered. Source: docs/reference/telephony.md#answer. */
export type Answer =
  | { readonly _tag: "Say"; readonly text: string; readonly language: string | null }
  | { readonly _tag: "Url"; readonly url: string }
  | { readonly _tag: "Stream"; readonly url: string }
  /** The sound of the call is connected to `CallMedia`, where the call's agent answers. */
  | { readonly _tag: "Agent" }

/** The message that is left on a machine. Source: docs/reference/telephony.md#voicemail. */
export type VoicemailMessage =
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "Audio"; readonly url: string }

/** One call to be placed. `callId` is the correlation: the carrier must be able to find the call by it, or by number and time. */
export interface CallOrder {
  readonly callId: Ids.CallId
  readonly tenantId: Ids.AccountId
  readonly botId: Ids.BotId | null
  /** The number as it was given, in the form in which a person wrote it. */
  readonly to: string
  /** The caller number, or null where the carrier's own default is to be used. */
  readonly from: string | null
  readonly answer: Answer
  /** For one connection of the call's media, where the answer is `Agent`; else null. */
  readonly mediaToken: string | null
  readonly detectMachine: boolean
}

declare const passed: unique symbol

/**
 * An order that was admitted: account, feature, suppression and credits were checked and the call's row is committed.
 * Carriers accept nothing else, so that a call without admission does not compile. Only the admission makes one.
 */
export type Permit = CallOrder & { readonly [passed]: true }

/** For the placing of calls alone, once the row of the admission is committed and the last look has passed. */
export const permitFor = (order: CallOrder): Permit => order as Permit // The mark exists in the type alone.

/** What identifies one call on both sides. */
export interface CallRef {
  readonly callId: Ids.CallId
  readonly providerCallId: string | null
  readonly to: string
  readonly from: string | null
  /** When the carrier was asked: a look-up by number need not search before it. */
  readonly askedAt: Instant.Instant
}

/** A call whose id at the carrier is known. Only such a call can be ended: one that is found by its number may be another's. */
export interface NamedCall extends CallRef {
  readonly providerCallId: string
}

export interface EndOptions {
  /** Whether the call is known to be answered: it is hung up then, and cancelled otherwise. */
  readonly isAnswered: boolean
}

export interface CallReport {
  readonly callId: Ids.CallId
  readonly providerCallId: string
  readonly at: Instant.Instant
  readonly news: CallNews
}

/** What a look-up has found. */
export type Found =
  /** The record of the call, identified by the carrier's own id or by ours. */
  | { readonly _tag: "Record"; readonly report: CallReport }
  /** At least one record that agrees in numbers and time alone. None of them says whose it is. */
  | { readonly _tag: "Candidates"; readonly reports: ReadonlyArray<CallReport> }
  | { readonly _tag: "Nothing" }

/** The carrier has accepted the call; reports follow. */
export interface Placed {
  readonly providerCallId: string
}

/**
 * The carrier has answered, and there is no call.
 *
 * - `invalid_number`, `blocked_number` this number will never be reached
 * - `configuration` our credentials or caller number were refused: no other call would be taken either
 * - `throttled` asked too fast or too many at once; the same order may be placed again after `retryAfterMs`
 * - `rejected` refused for this call only, for a reason that a later attempt may not meet
 */
export class CallRefused extends Schema.TaggedError<CallRefused>()("CallRefused", {
  reason: Schema.Literals(["invalid_number", "blocked_number", "configuration", "throttled", "rejected"]),
  /** A sentence for the operator. Never shown to a caller of the API. */
  detail: Schema.String,
  retryAfterMs: Schema.NullOr(Schema.Number)
}) {
  override get message() {
    return `the carrier refused the call (${this.reason}): ${this.detail}`
  }
}

/** Nobody knows whether the carrier did what it was asked: it timed out, broke off or answered nonsense. */
export class CarrierSilent extends Schema.TaggedError<CarrierSilent>()("CarrierSilent", {
  detail: Schema.String
}) {
  override get message() {
    return `the carrier's answer is unknown: ${this.detail}`
  }
}

/** A callback whose signature does not hold, or that says nothing about any call. */
export class CallbackRefused extends Schema.TaggedError<CallbackRefused>()("CallbackRefused", {
  reason: Schema.Literals(["signature", "malformed", "unsupported"]),
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}

/** A callback as it came in: exact bytes, and the path and query as the carrier sees them. */
export interface Callback {
  readonly method: string
  /** Path and query below the service's mount point. */
  readonly target: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
}

/** What a carrier answers when a callback has been taken in: for some callbacks, instructions for the call. */
export interface CallbackAnswer {
  readonly reports: ReadonlyArray<CallReport>
  readonly reply: { readonly contentType: string; readonly body: string } | null
}

export interface CarrierTraits {
  readonly name: string
  /** Calls that may be started in one second, or null where the carrier sets no limit. */
  readonly startsPerSecond: number | null
  /** A caller number is needed for every call. */
  readonly needsCaller: boolean
  /** The caller number to use where an account has none of its own. */
  readonly defaultFrom: string | null
  /** When nothing found is proof that there is no call: after this number of look-ups, the last at least `overMs` after the first. */
  readonly proof: { readonly lookUps: number; readonly overMs: number }
  /** An unanswered call that has reported nothing for this long is looked up. */
  readonly silenceMs: number
  /** The rules of its callbacks, which hold before they are read. Left out: none. */
  readonly callbacks?: CallbackRules
}

/** Who asks for a socket. */
export interface SocketCaller {
  readonly _tag: "Known"
  readonly tenantId: Ids.AccountId
  /** The subprotocol that the answer names. */
  readonly protocol: string | null
}

/** Lets callers of the API in on a carrier's sockets. Carriers that prove themselves otherwise do not need it. */
export interface MediaDoor {
  /** The account of a caller with the scope `calls:write`, or the answer to one without it. */
  readonly identify: (request: SocketRequest) => Effect.Effect<SocketCaller | SocketRefused>
  /** An answer in the envelope of the platform's errors. */
  readonly refuse: (status: number, detail: string, request: SocketRequest) => SocketRefused
}

export class Carrier extends Context.Service<
  Carrier,
  {
    readonly traits: CarrierTraits
    /**
     * Asks for one call. Never asks twice, whatever happens: an unknown outcome is `CarrierSilent`, and the caller
     * settles it by `find`.
     */
    readonly place: (permit: Permit) => Effect.Effect<Placed, CallRefused | CarrierSilent>
    /**
     * Ends a call in any state: cancels it before the answer, hangs up after it. Answers the carrier's record of
     * the call after that; a call that had ended before, or that still goes on, is no error. Null where the carrier has no
     * record of it.
     */
    readonly end: (ref: NamedCall, options: EndOptions) => Effect.Effect<CallReport | null, CarrierSilent>
    /** Lets an answered call hear a message and then ends it. */
    readonly leaveMessage: (ref: NamedCall, message: VoicemailMessage) => Effect.Effect<void, CarrierSilent>
    /**
     * The carrier's own record of a call, as one report of its present state. `Record` only where an id identifies it: the
     * carrier's, or ours where the carrier returns it. `Nothing` only where the carrier has answered that there is none.
     */
    readonly find: (ref: CallRef) => Effect.Effect<Found, CarrierSilent>
    /**
     * All records of calls between these numbers that were asked for about `askedAt`, those of other calls of ours as well: after
     * a fail-over the database may not know them. Absent: the carrier finds calls by our id alone.
     */
    readonly findAll?: (ref: CallRef) => Effect.Effect<ReadonlyArray<CallReport>, CarrierSilent>
    /** Checks a callback's signature and reads it. */
    readonly read: (callback: Callback) => Effect.Effect<CallbackAnswer, CallbackRefused>
    /** Starts to send reports, for carriers that live in this process; ends with the scope. */
    readonly listen: (apply: (report: CallReport) => Effect.Effect<void>) => Effect.Effect<void, never, Scope.Scope>
    /** The sockets on which the sound of calls comes in. Absent: the carrier connects no agent, and its calls are spoken to instead. */
    readonly sockets?: (door: MediaDoor) => ReadonlyArray<SocketRoute>
  }
>()("@trunkline/core/calling/calls/Carrier") {}

/** False in an installation without a carrier, which does everything but calling. */
export const TelephonyConfigured = Context.Reference<boolean>("@trunkline/core/calling/calls/TelephonyConfigured", {
  defaultValue: () => true
})
