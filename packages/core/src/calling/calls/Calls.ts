/** Calls as the telephony API knows them: placing one, looking at them, hanging up. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type BotNotFound, Bots } from "../../agents/bots/index.ts"
import { type Doer, FeatureDisabled } from "../../platform/accounts/index.ts"
import { Months } from "../../platform/billing/index.ts"
import { Instant, type Page, type Paged, tracedFn } from "../../platform/kernel/index.ts"
import { PhoneNumber } from "../../platform/numbers/index.ts"
import { type LimitReached, lock, roomFor, Storage, type StorageError } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import { Suppression } from "../suppression/index.ts"
import { type Call, isEnded, stop } from "./Call.ts"
import { CallAdmission, type Refusal } from "./CallAdmission.ts"
import {
  AccountInactive,
  CallNotFound,
  ConversationsUsedUp,
  MonthlyBudgetExceeded,
  NoCallerNumber,
  type NumberNotFound,
  NumberSuppressed,
  OutOfCredits,
  PaymentMethodRequired,
  TelephonyMissing,
  TooManyConversations,
  UnusableNumber
} from "./CallErrors.ts"
import { CallListStore } from "./CallListStore.ts"
import { CallPlacer } from "./CallPlacer.ts"
import { type CallQuery, isPlain, searchOf } from "./CallSearch.ts"
import { CallStore } from "./CallStore.ts"
import { CallTranscripts } from "./CallTranscripts.ts"
import { CallTransitions } from "./CallTransitions.ts"
import { TelephonyConfigured } from "./Carrier.ts"
import { ExpectedAnswers } from "./ExpectedAnswers.ts"
import { Numbers } from "./Numbers.ts"
import type { TranscriptEntry } from "./Transcript.ts"

export interface NewCall {
  readonly to: string
  readonly fromNumberId: Ids.NumberId | null
  readonly botId: Ids.BotId | null
}

export type AdmissionRefused =
  | AccountInactive
  | ConversationsUsedUp
  | MonthlyBudgetExceeded
  | FeatureDisabled
  | NoCallerNumber
  | NumberSuppressed
  | OutOfCredits
  | PaymentMethodRequired
  | TooManyConversations
  | UnusableNumber

export interface NewOutcome {
  readonly outcome: string
  readonly note: string | null
  /** The person has asked for no more calls: the number is put on the do-not-call list as well. */
  readonly doNotCall: boolean
  readonly by: Doer
}

export class Calls extends Context.Service<
  Calls,
  {
    /** Admits and places one call; returns once its row is committed, before the carrier is asked. */
    readonly create: (
      tenantId: Ids.AccountId,
      call: NewCall
    ) => Effect.Effect<
      Call,
      BotNotFound | LimitReached | NumberNotFound | TelephonyMissing | AdmissionRefused | StorageError
    >
    readonly get: (tenantId: Ids.AccountId, id: Ids.CallId) => Effect.Effect<Call, CallNotFound | StorageError>
    /** Newest first. */
    readonly list: (tenantId: Ids.AccountId, query: CallQuery, page: Page) => Effect.Effect<Paged<Call>, StorageError>
    /** Notes how a call has ended, in place of what was noted before. Source: docs/reference/telephony.md#outcome. */
    readonly note: (
      tenantId: Ids.AccountId,
      id: Ids.CallId,
      noted: NewOutcome
    ) => Effect.Effect<Call, CallNotFound | StorageError>
    /** What was said on a call, also while it goes on. */
    readonly transcript: (
      tenantId: Ids.AccountId,
      id: Ids.CallId
    ) => Effect.Effect<ReadonlyArray<TranscriptEntry>, CallNotFound | StorageError>
    /** Ends a call. One that has ended stays as it is. */
    readonly hangUp: (
      tenantId: Ids.AccountId,
      id: Ids.CallId
    ) => Effect.Effect<Call, CallNotFound | TelephonyMissing | StorageError>
  }
>()("@trunkline/core/calling/calls/Calls") {
  static readonly layer = Layer.effect(
    Calls,
    Effect.gen(function* () {
      const bots = yield* Bots
      const admission = yield* CallAdmission
      const expected = yield* ExpectedAnswers
      const isConfigured = yield* TelephonyConfigured
      const transcripts = yield* CallTranscripts
      const transitions = yield* CallTransitions
      const numbers = yield* Numbers
      const placer = yield* CallPlacer
      const storage = yield* Storage
      const store = yield* CallStore
      const lists = yield* CallListStore
      const suppression = yield* Suppression
      const roomForOne = yield* roomFor("queuedCalls")

      const create = tracedFn("Calls.create")(function* (
        tenantId: Ids.AccountId,
        { botId, fromNumberId, to }: NewCall
      ) {
        if (PhoneNumber.usable(to) === undefined) return yield* new UnusableNumber({ field: "to", written: to })
        if (!isConfigured) return yield* new TelephonyMissing()
        const awaitsAgent = yield* expected.byAgent(tenantId, botId)
        const admitted = yield* storage.transact(
          Effect.gen(function* () {
            if (botId !== null) yield* bots.owned(tenantId, botId)
            if (fromNumberId !== null) yield* numbers.ownedNumber(tenantId, fromNumberId)
            const request = { ...single, tenantId, to, botId, fromNumberId, awaitsAgent }
            const decided = yield* admission.admit(request, { waitForSlot: "any" })
            // After the admission, whose locks come first. The call is in its transaction, and is rolled back with it.
            if (decided._tag === "Admitted") yield* roomForOne(tenantId, queuedBefore(tenantId))
            return decided
          })
        )
        if (admitted._tag !== "Admitted") {
          const reason = admitted._tag === "Refused" ? admitted.reason : "account"
          return yield* refusals[reason]({ accountId: tenantId, at: yield* Instant.now, to })
        }
        yield* placer.start(admitted.call)
        return admitted.call
      })

      /** Those without the one that the transaction has just written. */
      const queuedBefore = (tenantId: Ids.AccountId) =>
        Effect.map(store.count(tenantId, { campaignId: null, contactId: null, status: "queued" }), (n) => n - 1)

      const owned = Effect.fnUntraced(function* (tenantId: Ids.AccountId, id: Ids.CallId) {
        const call = yield* store.findInAnyAccount(id)
        return call === null || call.tenantId !== tenantId ? yield* new CallNotFound({ id }) : call
      })

      const hangUp = tracedFn("Calls.hangUp")(function* (tenantId: Ids.AccountId, id: Ids.CallId) {
        const call = yield* transitions.apply(id, (present, at) =>
          Effect.gen(function* () {
            if (present.tenantId !== tenantId) return yield* new CallNotFound({ id })
            if (isEnded(present)) return null
            return isConfigured ? { call: stop(present, "hangup_local", at) } : yield* new TelephonyMissing()
          })
        )
        return call ?? (yield* new CallNotFound({ id }))
      })

      const note = tracedFn("Calls.note")(function* (tenantId: Ids.AccountId, id: Ids.CallId, noted: NewOutcome) {
        const { call, marked } = yield* storage.transact(
          Effect.gen(function* () {
            const { to: phone } = yield* owned(tenantId, id)
            const reason = `outcome: ${noted.outcome}`
            // Its locks come before that of the call.
            const marked = noted.doNotCall ? yield* suppression.addWithin(tenantId, { phone, reason }) : []
            yield* lock("call", id)
            const present = yield* owned(tenantId, id)
            const call: Call = {
              ...present,
              outcome: noted.outcome,
              outcomeNote: noted.note,
              outcomeBy: noted.by.subject,
              outcomeByName: noted.by.name,
              outcomeAt: yield* Instant.now
            }
            yield* store.save(call)
            return { call, marked }
          })
        )
        yield* suppression.cancel(marked)
        return call
      })

      return Calls.of({
        create,
        hangUp,
        note,
        get: (tenantId, id) => storage.read(owned(tenantId, id)),
        transcript: (tenantId, id) => storage.read(Effect.andThen(owned(tenantId, id), transcripts.find(tenantId, id))),
        list: (tenantId, query, page) => {
          const search = searchOf(query)
          if (search === null) return Effect.succeed({ items: [], total: 0 })
          return storage.read(
            isPlain(search)
              ? Effect.all({ items: store.list(tenantId, search, page), total: store.count(tenantId, search) })
              : Effect.all({ items: lists.list(tenantId, search, page), total: lists.count(tenantId, search) })
          )
        }
      })
    })
  )
}

/** A call that belongs to no campaign: nothing limits when it is answered, and any answer is one. */
const single = {
  campaignId: null,
  contactId: null,
  attempt: null,
  burstId: null,
  detectMachine: false,
  voicemailTemplateId: null,
  windowClosesAt: null
}

interface RefusedCall {
  readonly accountId: Ids.AccountId
  readonly at: Instant.Instant
  readonly to: string
}

const refusals: Record<Refusal, (call: RefusedCall) => AdmissionRefused> = {
  account: () => new AccountInactive(),
  feature: ({ accountId }) => new FeatureDisabled({ accountId }),
  number: ({ to }) => new UnusableNumber({ field: "to", written: to }),
  suppressed: () => new NumberSuppressed(),
  payment: () => new PaymentMethodRequired(),
  monthly_budget: ({ at }) => new MonthlyBudgetExceeded({ retryAfterSeconds: Months.secondsUntilNext(at) }),
  credits: () => new OutOfCredits(),
  caller: () => new NoCallerNumber(),
  places: () => new TooManyConversations({ retryAfterSeconds: 1 }),
  conversations: ({ at }) => new ConversationsUsedUp({ retryAfterSeconds: Months.secondsUntilNext(at) })
}
