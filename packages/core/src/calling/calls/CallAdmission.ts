/** Admits outbound calls: every call of the product passes here, in one transaction, or it is not placed. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Account, Accounts, spenderOf, spendingRefusal } from "../../platform/accounts/index.ts"
import { Credits } from "../../platform/billing/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { PhoneNumber } from "../../platform/numbers/index.ts"
import { lock, type Read, type StorageError, type Tx } from "../../platform/storage/index.ts"
import * as Ids from "../CallingIds.ts"
import { Suppression } from "../suppression/Suppression.ts"
import { AgentPlaces, type AgentRefusal } from "./AgentPlaces.ts"
import type { Call } from "./Call.ts"
import { coveredForGood, isHeld } from "./CallCredit.ts"
import { CallStore } from "./CallStore.ts"
import { Carrier } from "./Carrier.ts"
import { NumberStore } from "./NumberStore.ts"
import { StartSlots } from "./StartSlots.ts"
import { unconfirmedMs } from "./SupervisionRules.ts"
import { TelephonySettings } from "./TelephonySettings.ts"

/** A call that a campaign or a caller of the API asks for. */
export interface CallRequest {
  readonly tenantId: Ids.AccountId
  /** As it was written: the admission reads it itself. */
  readonly to: string
  readonly botId: Ids.BotId | null
  readonly fromNumberId: Ids.NumberId | null
  readonly campaignId: Ids.CampaignId | null
  readonly contactId: Ids.ContactId | null
  readonly attempt: number | null
  readonly burstId: Ids.BurstId | null
  readonly detectMachine: boolean
  readonly voicemailTemplateId: Ids.TemplateId | null
  readonly windowClosesAt: Instant.Instant | null
  /** It is going to be a conversation with an agent: see `ExpectedAnswers`. */
  readonly awaitsAgent: boolean
}

export interface AdmissionOptions {
  /** Which start slots of the carrier are accepted: `any` later one, or only one within the next second. */
  readonly waitForSlot: "any" | "within a second"
  /** The account of the request, where the caller's transaction has read it. */
  readonly account?: Account | null
}

export type Refusal =
  | "account"
  | "feature"
  | "payment"
  | "number"
  | "suppressed"
  | "caller"
  | "monthly_budget"
  | "credits"
  | AgentRefusal

export type AdmissionResult =
  | { readonly _tag: "Admitted"; readonly call: Call }
  | { readonly _tag: "Refused"; readonly reason: Refusal }
  /** The carrier's start rate is used up until then. Never the result of `waitForSlot: "any"`. */
  | { readonly _tag: "Deferred"; readonly until: Instant.Instant }

/** A slot further ahead than this is not reserved for requests that cannot wait: they are decided again when it is nearer. */
const horizonMs = 1000

export class CallAdmission extends Context.Service<
  CallAdmission,
  {
    /**
     * Admits a call in the caller's transaction. It checks the account, the feature, the payment method, the number and the do-not-call
     * list (under the lock that additions acquire), reserves the first minute of the monthly budget and, where the plan
     * deducts, of the credit, takes a place for the conversation with an agent, reserves the carrier's start slot and writes the
     * call's row. Source: docs/reference/telephony.md#admission.
     */
    readonly admit: (
      request: CallRequest,
      options: AdmissionOptions
    ) => Effect.Effect<AdmissionResult, StorageError, Tx | Read>
    /** When the carrier accepts another call, if not now. */
    readonly busyUntil: (at: Instant.Instant) => Effect.Effect<Instant.Instant | null, StorageError, Read>
  }
>()("@trunkline/core/calling/calls/CallAdmission") {
  static readonly layer = Layer.effect(
    CallAdmission,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const calls = yield* CallStore
      const carrier = yield* Carrier
      const credits = yield* Credits
      const numbers = yield* NumberStore
      const places = yield* AgentPlaces
      const slots = yield* StartSlots
      const suppression = yield* Suppression
      const { creditsPerMinute } = yield* TelephonySettings
      const { defaultFrom, name, needsCaller, startsPerSecond } = carrier.traits

      const callerOf = Effect.fnUntraced(function* ({ fromNumberId, tenantId }: CallRequest) {
        const chosen = fromNumberId === null ? null : yield* numbers.findNumber(tenantId, fromNumberId)
        const number = chosen ?? (yield* numbers.firstNumber(tenantId))
        return { fromNumberId: number?.id ?? null, from: number?.phone ?? defaultFrom }
      })

      /** A carrier without a start rate has no slots to reserve, but it may have asked for a pause. */
      const nextSlot = Effect.fnUntraced(function* (at: Instant.Instant) {
        if (startsPerSecond !== null) yield* lock("carrier", name)
        return yield* slots.next(at)
      })

      const reserveSlot = (startsAt: Instant.Instant, at: Instant.Instant) =>
        startsPerSecond === null
          ? Effect.void
          : slots.save(Instant.plus(startsAt, Math.ceil(Instant.second / startsPerSecond)), at)

      const admit = Effect.fnUntraced(function* (
        request: CallRequest,
        { account: read, waitForSlot }: AdmissionOptions
      ) {
        const account = read === undefined ? yield* accounts.find(request.tenantId) : read
        if (account === null) return refused("account")
        const refusal = refusalOf(account, yield* Instant.now)
        if (refusal !== null) return refused(refusal)
        const number = PhoneNumber.usable(request.to)
        if (number === undefined) return refused("number")
        if (yield* suppression.claim(request.tenantId, number.key)) return refused("suppressed")
        const caller = yield* callerOf(request)
        if (needsCaller && caller.from === null) return refused("caller")

        const at = yield* Instant.now
        const startsAt = yield* nextSlot(at)
        if (waitForSlot !== "any" && startsAt > at + horizonMs) return { _tag: "Deferred" as const, until: startsAt }

        const noPlace = request.awaitsAgent ? yield* places.claim(account, at) : null
        if (noPlace !== null) return refused(noPlace)
        const id = yield* Ids.fresh<"Call">()
        const shortage = yield* credits.reserve(spenderOf(account), {
          id,
          isNew: true,
          amount: creditsPerMinute,
          since: at
        })
        if (shortage !== null) {
          if (request.awaitsAgent) yield* places.release({ tenantId: account.id, createdAt: at })
          return refused(shortage)
        }
        yield* reserveSlot(startsAt, at)
        const paidUntil = isHeld(account) ? null : coveredForGood
        const call = queuedCall(
          { ...request, ...caller, toKey: number.key },
          { id, provider: name, startsAt, paidUntil, at }
        )
        yield* calls.add(call)
        return { _tag: "Admitted" as const, call }
      })

      const busyUntil = Effect.fnUntraced(function* (at: Instant.Instant) {
        const next = yield* slots.next(at)
        return next > at + horizonMs ? next : null
      })

      return CallAdmission.of({ admit, busyUntil })
    })
  )
}

const refused = (reason: Refusal): AdmissionResult => ({ _tag: "Refused", reason })

const refusalOf = (account: Account, at: Instant.Instant): Refusal | null => {
  const refusal = spendingRefusal(account, at)
  if (refusal !== null && refusal !== "payment_method_required") return "account"
  return account.voiceCampaigns ? (refusal === null ? null : "payment") : "feature"
}

/** The row of an admitted call. It is looked up unless a report confirms that the carrier has the call. */
const queuedCall = (
  request: CallRequest & Pick<Call, "from" | "toKey">,
  given: Pick<Call, "id" | "provider" | "paidUntil"> & {
    readonly startsAt: Instant.Instant
    readonly at: Instant.Instant
  }
): Call => ({
  ...request,
  id: given.id,
  status: "queued",
  answeredBy: null,
  isWinner: false,
  abandoned: false,
  provider: given.provider,
  providerCallId: null,
  startedAt: given.startsAt,
  rangAt: null,
  answeredAt: null,
  endedAt: null,
  durationSeconds: null,
  endReason: null,
  failure: null,
  voiceSessionId: null,
  credits: 0n,
  createdAt: given.at,
  mediaToken: null,
  stopReason: null,
  messageAt: null,
  paidUntil: given.paidUntil,
  lookUps: 0,
  firstLookUpAt: null,
  silentSince: null,
  outcome: null,
  outcomeNote: null,
  outcomeBy: null,
  outcomeByName: null,
  outcomeAt: null,
  endRequests: 0,
  lookUpAt: Instant.plus(given.startsAt, unconfirmedMs),
  checkAt: Instant.plus(given.startsAt, unconfirmedMs)
})
