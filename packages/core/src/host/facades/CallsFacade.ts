/** Single calls, for a host that uses promises. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type AnsweredBy, CallEvents, type CallStatus, Calls, type EndReason } from "../../calling/calls/index.ts"
import * as TelephonyApi from "../../calling/calls/TelephonyApi.ts"
import { Ids, type Paged, Wire } from "../../platform/kernel/index.ts"
import * as Arguments from "../Arguments.ts"
import { type CallOptions, type Method, type PageOptions, shownPage } from "../Facade.ts"
import type { VoiceTranscriptEntry } from "./VoiceFacade.ts"

/** Source: docs/reference/telephony.md#routes. */
export interface NewCallRequest {
  /** The number to call, however it is written; one without a country code is dialed from the caller number's country. */
  readonly to: string
  /** The caller number, by its id; the account's first number by default. */
  readonly fromNumberId?: string | null
  /** The agent that speaks on the call; nobody speaks where it is left out. */
  readonly botId?: string | null
}

const newCall = Arguments.given<NewCallRequest>()(Schema.Struct(Wire.fromWire(TelephonyApi.NewCall.fields)))

/** Source: docs/reference/telephony.md#call. */
export interface CallRecord extends ReturnType<typeof CallEvents.shownOf> {}

export interface CallsFacade {
  /** Places one call; answers before the carrier is asked. Source: docs/reference/telephony.md#routes. */
  readonly create: (accountId: string, call: NewCallRequest, options?: CallOptions) => Promise<CallRecord>
  /** One call. Its recording and its analysis are those of its newest session: `core.voice`. Throws `call_not_found` where the account has no such call. */
  readonly get: (accountId: string, id: string, options?: CallOptions) => Promise<CallRecord>
  /** Newest first. */
  readonly list: (
    accountId: string,
    options?: PageOptions & {
      readonly campaignId?: string
      readonly contactId?: string
      readonly status?: CallStatus
      /** The number that was called, however it is written. */
      readonly phone?: string
      readonly botId?: string
      readonly fromNumberId?: string
      readonly endReason?: EndReason
      readonly answeredBy?: AnsweredBy
      /** Exactly what was noted of the call. */
      readonly outcome?: string
      /** Calls that were created at this instant or later. */
      readonly since?: Date | number | string
      /** Calls that were created before this instant. */
      readonly until?: Date | number | string
    }
  ) => Promise<Paged<CallRecord>>
  /** What was said on a call, in its order; also while it goes on. Source: docs/reference/voice.md#transcript. */
  readonly transcript: (
    accountId: string,
    id: string,
    options?: CallOptions
  ) => Promise<ReadonlyArray<VoiceTranscriptEntry>>
  /** Ends a call; one that has ended is answered as it is. */
  readonly hangUp: (accountId: string, id: string, options?: CallOptions) => Promise<CallRecord>
}

const { accountId, anyAccountId, argument, callOptions, listOptions, record } = Arguments
const id = argument("id", Ids.schema<"Call">())
const listed = listOptions(
  Schema.Struct({ ...Wire.fromWire(TelephonyApi.callsQuery), ...Arguments.signal }),
  TelephonyApi.telephonyPages
)

export const callsFacade = (method: Method): CallsFacade => ({
  create: method([accountId, record("call", newCall), callOptions], (tenantId, { botId, fromNumberId, to }) =>
    Effect.map(
      Calls.use((c) => c.create(tenantId, { to, fromNumberId: fromNumberId ?? null, botId: botId ?? null })),
      CallEvents.shownOf
    )
  ),
  get: method([accountId, id, callOptions], (tenantId, id) =>
    Effect.map(
      Calls.use((c) => c.get(tenantId, id)),
      CallEvents.shownOf
    )
  ),
  list: method([accountId, listed], (tenantId, { limit, offset, signal: _, ...query }) =>
    Effect.map(
      Calls.use((c) => c.list(tenantId, query, { limit, offset })),
      shownPage(CallEvents.shownOf)
    )
  ),
  transcript: method([accountId, id, callOptions], (tenantId, id) => Calls.use((c) => c.transcript(tenantId, id))),
  hangUp: method([anyAccountId, id, callOptions], (tenantId, id) =>
    Effect.map(
      Calls.use((c) => c.hangUp(tenantId, id)),
      CallEvents.shownOf
    )
  )
})
