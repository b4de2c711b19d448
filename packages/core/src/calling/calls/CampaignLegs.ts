/** What campaigns may ask of their calls, as transactional parts: the calls table itself stays in this room. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Instant } from "../../platform/kernel/index.ts"
import { lock, type Read, type StorageError, type Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import { type Call, isEnded } from "./Call.ts"
import { CallStore } from "./CallStore.ts"

export class CampaignLegs extends Context.Service<
  CampaignLegs,
  {
    /** Calls of a campaign that have not ended, oldest first. */
    readonly open: (campaignId: Ids.CampaignId) => Effect.Effect<ReadonlyArray<Call>, StorageError, Read>
    readonly countOpen: (campaignId: Ids.CampaignId) => Effect.Effect<number, StorageError, Read>
    /** Calls of one parallel dial, ended ones included. */
    readonly legsOf: (
      campaignId: Ids.CampaignId,
      burstId: Ids.BurstId
    ) => Effect.Effect<ReadonlyArray<Call>, StorageError, Read>
    /** Answered and abandoned calls of a campaign that started since an instant. */
    readonly answerCounts: (
      campaignId: Ids.CampaignId,
      since: Instant.Instant
    ) => Effect.Effect<{ readonly answered: number; readonly abandoned: number }, StorageError, Read>
    /** Number of calls of a campaign that started at or after an instant, without those that were never placed. */
    readonly startedSince: (
      campaignId: Ids.CampaignId,
      since: Instant.Instant
    ) => Effect.Effect<number, StorageError, Read>
    /** Changes a leg that has not ended, under its lock, as the campaign's rules say. */
    readonly change: (id: Ids.CallId, rule: (leg: Call) => Call) => Effect.Effect<void, StorageError, Tx | Read>
  }
>()("@trunkline/core/calling/calls/CampaignLegs") {
  static readonly layer = Layer.effect(
    CampaignLegs,
    Effect.map(CallStore, (calls) =>
      CampaignLegs.of({
        open: calls.openOfCampaign,
        countOpen: calls.countOpenOfCampaign,
        legsOf: calls.legsOf,
        answerCounts: calls.answerCounts,
        startedSince: calls.startedSince,
        change: Effect.fnUntraced(function* (id: Ids.CallId, rule: (leg: Call) => Call) {
          yield* lock("call", id)
          const leg = yield* calls.findInAnyAccount(id)
          if (leg !== null && !isEnded(leg)) yield* calls.save(rule(leg))
        })
      })
    )
  )
}
