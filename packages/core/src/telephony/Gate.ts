/** The one gate: every outbound call of the product is opened here, in one transaction, or it is not placed. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Account, Accounts, spenderOf, spendingRefusal } from "../access/index.ts"
import { Credits } from "../billing/index.ts"
import { Ids, Instant } from "../kernel/index.ts"
import { lock, type Read, type StorageError, type Tx } from "../storage/index.ts"
import { type PhoneNumber, Suppression } from "../suppression/index.ts"
import type { Call } from "./Call.ts"
import { coveredForGood, isHeld } from "./CallCredit.ts"
import { CallStore } from "./CallStore.ts"
import { unconfirmedMs } from "./CareRules.ts"
import { Carrier } from "./Carrier.ts"
import { NumberStore } from "./NumberStore.ts"
import { TelephonySettings } from "./TelephonySettings.ts"

/** A call that somebody wants. What it is for is the caller's business. */
export interface Wanted {
  readonly tenantId: Ids.AccountId
  readonly to: string
  readonly toKey: PhoneNumber.MatchKey
  readonly botId: Ids.BotId | null
  readonly fromNumberId: Ids.NumberId | null
  readonly campaignId: Ids.CampaignId | null
  readonly contactId: Ids.ContactId | null
  readonly attempt: number | null
  readonly burstId: Ids.BurstId | null
  readonly detectMachine: boolean
  readonly voicemailTemplateId: Ids.TemplateId | null
  readonly windowClosesAt: Instant.Instant | null
}

export type Refusal = "account" | "feature" | "payment" | "suppressed" | "caller" | "monthly_budget" | "credits"

export type Opened =
  | { readonly _tag: "Opened"; readonly call: Call }
  | { readonly _tag: "Refused"; readonly why: Refusal }
  /** The carrier's start rate is used up until then. Only callers that can wait ask for this. */
  | { readonly _tag: "Later"; readonly until: Instant.Instant }

/** How far ahead a start may be booked: what lies further off is decided again when it is nearer. */
const horizonMs = 1000

export class Gate extends Context.Service<
  Gate,
  {
    /**
     * Opens a call: checks the account, the feature, the payment method, the do-not-call list (under the lock that additions take),
     * reserves the first minute of the account's monthly budget and, where the plan deducts, of its credit, books the carrier's start
     * slot and writes the call's row. All of it in the caller's transaction.
     * `patient` callers take any later slot; others are told when to come back. Source: docs/telephony.md#gate.
     */
    readonly open: (wanted: Wanted, patient: boolean) => Effect.Effect<Opened, StorageError, Tx | Read>
    /** When the carrier would take another call, if not now. */
    readonly busyUntil: (at: Instant.Instant) => Effect.Effect<Instant.Instant | null, StorageError, Read>
  }
>()("@trunkline/core/telephony/Gate") {
  static readonly layer = Layer.effect(
    Gate,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const calls = yield* CallStore
      const carrier = yield* Carrier
      const credits = yield* Credits
      const numbers = yield* NumberStore
      const suppression = yield* Suppression
      const { creditsPerMinute } = yield* TelephonySettings
      const { defaultFrom, name, needsCaller, startsPerSecond } = carrier.traits

      const callerOf = Effect.fnUntraced(function* ({ fromNumberId, tenantId }: Wanted) {
        const chosen = fromNumberId === null ? null : yield* numbers.findNumber(tenantId, fromNumberId)
        const number = chosen ?? (yield* numbers.firstNumber(tenantId))
        return { fromNumberId: number?.id ?? null, from: number?.phone ?? defaultFrom }
      })

      /** A carrier without a start rate has no slots to be booked, but it may have asked for a pause. */
      const slot = Effect.fnUntraced(function* (at: Instant.Instant) {
        if (startsPerSecond !== null) yield* lock("carrier", name)
        return Instant.later(at, (yield* calls.nextStart(name)) ?? at)
      })

      const refusalOf = (account: Account, at: Instant.Instant): Refusal | null => {
        const refusal = spendingRefusal(account, at)
        if (refusal !== null && refusal !== "payment_method_required") return "account"
        return account.voiceCampaigns ? (refusal === null ? null : "payment") : "feature"
      }

      const open = Effect.fnUntraced(function* (wanted: Wanted, patient: boolean) {
        const account = yield* accounts.find(wanted.tenantId)
        if (account === null) return refused("account")
        const refusal = refusalOf(account, yield* Instant.now)
        if (refusal !== null) return refused(refusal)
        if (yield* suppression.claim(wanted.tenantId, wanted.toKey)) return refused("suppressed")
        const caller = yield* callerOf(wanted)
        if (needsCaller && caller.from === null) return refused("caller")

        const at = yield* Instant.now
        const startsAt = yield* slot(at)
        if (!patient && startsAt > at + horizonMs) return { _tag: "Later" as const, until: startsAt }

        const id = yield* Ids.fresh<"Call">()
        const shortage = yield* credits.reserve(id, spenderOf(account), creditsPerMinute, at)
        if (shortage !== null) return refused(shortage)
        if (startsPerSecond !== null) {
          yield* calls.setNextStart(name, Instant.plus(startsAt, Math.ceil(Instant.second / startsPerSecond)))
        }
        const call: Call = {
          ...wanted,
          ...caller,
          id,
          status: "queued",
          answeredBy: null,
          isWinner: false,
          abandoned: false,
          provider: name,
          providerCallId: null,
          startedAt: startsAt,
          rangAt: null,
          answeredAt: null,
          endedAt: null,
          durationSeconds: null,
          endReason: null,
          failure: null,
          credits: 0n,
          createdAt: at,
          stopReason: null,
          messageAt: null,
          paidUntil: isHeld(account) ? null : coveredForGood,
          lookUps: 0,
          firstLookUpAt: null,
          silentSince: null,
          endRequests: 0,
          lookUpAt: Instant.plus(startsAt, unconfirmedMs),
          checkAt: Instant.plus(startsAt, unconfirmedMs)
        }
        yield* calls.add(call)
        return { _tag: "Opened" as const, call }
      })

      const busyUntil = Effect.fnUntraced(function* (at: Instant.Instant) {
        const next = yield* calls.nextStart(name)
        return next !== null && next > at + horizonMs ? next : null
      })

      return Gate.of({ open, busyUntil })
    })
  )
}

const refused = (why: Refusal): Opened => ({ _tag: "Refused", why })
