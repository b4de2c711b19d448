/** The background dialer: decides the campaigns that are due, each in one transaction, and has their calls placed. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import { type Account, Accounts } from "../../platform/accounts/index.ts"
import { Outbox } from "../../platform/events/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { lock, Storage, StorageError } from "../../platform/storage/index.ts"
import * as Ids from "../CallingIds.ts"
import { CallAdmission, CallPlacer, ExpectedAnswers } from "../calls/index.ts"
import type { CampaignState } from "./Campaign.ts"
import type { CampaignContact } from "./CampaignContact.ts"
import { completed } from "./CampaignProgress.ts"
import { CampaignContactStore, CampaignStore, type DueCampaign } from "./CampaignStore.ts"
import { crowdingAccounts, fromPlace, inTurn } from "./DialOrder.ts"
import { linesOf } from "./DialPlan.ts"
import { makeDialSituation } from "./DialSituation.ts"
import {
  admissionOf,
  afterAdmission,
  afterFailure,
  afterPlan,
  beginTurn,
  type Decision,
  planTurn,
  planVisit,
  requestOf,
  type Turn
} from "./DialTurn.ts"

/** Contacts of deleted campaigns that one transaction removes. */
const sweepSize = 1000

/** Maximum number of campaigns in one pass. */
const passSize = 100

/** An account with more of the campaigns in a pass crowds others out of it, and they are looked for. */
const accountShare = passSize / 10

/** Campaigns decided concurrently; on SQLite they share a commit. */
const concurrency = 16

/** How long a campaign waits after a failure that does not pass by itself. */
const defectAgainMs = Instant.minute

/** What a campaign's transaction has read. */
interface Reading {
  readonly account: Account | null
  readonly at: Instant.Instant
}

export interface DialReport {
  /** Campaigns that were due. */
  readonly campaigns: number
  /** Calls that were admitted. */
  readonly calls: number
  /** Campaigns whose processing failed. */
  readonly failed: number
}

export class Dialer extends Context.Service<
  Dialer,
  {
    /** One pass over the campaigns that are due. Its cost depends on the campaigns that are due, not on all that exist. */
    readonly tick: Effect.Effect<DialReport, StorageError>
    /** When the next campaign is due, or null. */
    readonly nextDue: Effect.Effect<Instant.Instant | null, StorageError>
    /** Removes a part of what deleted campaigns have left. */
    readonly sweep: Effect.Effect<void, StorageError>
  }
>()("@trunkline/core/calling/campaigns/Dialer") {
  static readonly layer = Layer.effect(
    Dialer,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const admission = yield* CallAdmission
      const campaigns = yield* CampaignStore
      const contacts = yield* CampaignContactStore
      const expected = yield* ExpectedAnswers
      const outbox = yield* Outbox
      const placer = yield* CallPlacer
      const situations = yield* makeDialSituation
      const storage = yield* Storage

      const admit = (turn: Turn, contact: CampaignContact, { account, at }: Reading) =>
        admission.admit(requestOf(turn, contact, at), { ...admissionOf(turn), account })

      const carryOut = Effect.fnUntraced(function* (turn: Turn, { _tag, contact }: Decision, reading: Reading) {
        const step =
          _tag === "Fail"
            ? afterFailure(turn, contact)
            : afterAdmission(turn, contact, yield* admit(turn, contact, reading), reading.at)
        if (step.contact !== null) yield* contacts.save(step.contact)
        return step.turn
      })

      /** One campaign's turn, under its lock. Returns the campaign as it is to be saved. */
      const dial = Effect.fnUntraced(function* (campaign: CampaignState, awaitsAgent: boolean, at: Instant.Instant) {
        const burstId = campaign.dialMode === "parallel" ? yield* Ids.fresh<"Burst">() : null
        const account = yield* accounts.find(campaign.tenantId)
        let turn = beginTurn(campaign, { awaitsAgent, burstId })
        while (!turn.isOver) {
          const limit = linesOf(campaign) - turn.calls.length
          const due = yield* situations.dueContacts(turn.campaign, { at, limit })
          const situation = yield* situations.load(turn.campaign, { account, at, due: due.length })
          const plan = planTurn(turn, { contacts: due, situation }, at)
          let after = plan.turn
          for (const decision of plan.decisions) {
            if (!after.isOver) after = yield* carryOut(after, decision, { account, at })
          }
          turn = afterPlan(turn, after, at)
        }
        return turn
      })

      /** True once another process has decided a campaign of this pass. It is at those after it by then, and this pass leaves them to it. */
      let isOvertaken = false

      /** Null where nothing is left to decide: another process has done it, or a person has paused the campaign meanwhile. */
      const decide = Effect.fnUntraced(function* (id: Ids.CampaignId, awaitsAgent: boolean) {
        yield* lock("campaign", id)
        const at = yield* Instant.now
        const present = yield* campaigns.findInAnyAccount(id)
        const visit = planVisit(present, at)
        if (visit === null) {
          // Only another process leaves a campaign open that was due a moment ago.
          isOvertaken ||= present !== null && (present.status === "running" || present.status === "scheduled")
          return null
        }
        if (visit.fault !== undefined) yield* Effect.logError(visit.fault)
        const turn = visit.dials ? yield* dial(visit.campaign, awaitsAgent, at) : { ...visit, calls: [], events: [] }
        const after = completed(turn.campaign)
        yield* campaigns.save(after.campaign)
        const events = yield* outbox.append([...visit.events, ...turn.events, ...after.events])
        return { calls: turn.calls, events }
      })

      const postpone = Effect.fnUntraced(
        function* (id: Ids.CampaignId) {
          yield* lock("campaign", id)
          const campaign = yield* campaigns.findInAnyAccount(id)
          if (campaign === null || campaign.nextDialAt === null) return
          yield* campaigns.save({ ...campaign, nextDialAt: Instant.plus(yield* Instant.now, defectAgainMs) })
        },
        storage.transact,
        // A storage that cannot write this has logged its own failure.
        (written) => Effect.ignoreCause(written)
      )

      /** One campaign that cannot be processed must not stop the others, nor fill the log: it is postponed. */
      const reportFailure = Effect.fnUntraced(function* (id: Ids.CampaignId, cause: Cause.Cause<StorageError>) {
        yield* Effect.logError("dialing for a campaign", id, cause)
        const error = Cause.squash(cause)
        if (!(error instanceof StorageError && error.isRetryable)) yield* postpone(id)
        return { calls: 0, failed: 1 }
      })

      const process = ({ botId, id, tenantId }: DueCampaign) =>
        Effect.gen(function* () {
          if (isOvertaken) return { calls: 0, failed: 0 }
          // The agent is read before the transaction.
          const awaitsAgent = yield* expected.byAgent(tenantId, botId)
          const decided = yield* storage.transact(decide(id, awaitsAgent))
          if (decided === null) return { calls: 0, failed: 0 }
          const { calls, events } = decided
          yield* outbox.publish(events)
          for (const call of calls) yield* placer.start(call)
          return { calls: calls.length, failed: 0 }
        }).pipe(Effect.catchCause((cause) => reportFailure(id, cause)))

      /** The campaigns of a pass. */
      const dueInTurn = Effect.gen(function* () {
        const look = { at: yield* Instant.now, limit: passSize }
        const soonest = yield* campaigns.due({ ...look, except: [] })
        const except = soonest.length < passSize ? [] : crowdingAccounts(soonest, accountShare)
        if (except.length === 0) return inTurn(soonest, passSize)
        const crowding = soonest.filter(({ tenantId }) => except.includes(tenantId))
        return inTurn([...(yield* campaigns.due({ ...look, except })), ...crowding], passSize)
      })

      const tick = Effect.gen(function* () {
        const found = yield* storage.read(dueInTurn)
        // Where both processes begin at the same campaign again, each waits for the other at every lock.
        const due =
          isOvertaken && found.length > 1 ? fromPlace(found, yield* Random.nextIntBetween(0, found.length)) : found
        isOvertaken = false
        const results = yield* Effect.forEach(due, process, { concurrency })
        return {
          campaigns: due.length,
          calls: results.reduce((sum, { calls }) => sum + calls, 0),
          failed: results.reduce((sum, { failed }) => sum + failed, 0)
        }
      })

      return Dialer.of({
        tick,
        nextDue: storage.read(campaigns.nextDue),
        sweep: Effect.asVoid(storage.transact(campaigns.sweep(sweepSize)))
      })
    })
  )
}
