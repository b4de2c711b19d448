/** Reads what decides whether a campaign may dial now: for the dialer, and for the live view. */
import * as Effect from "effect/Effect"
import { type Account, isActive } from "../../platform/accounts/index.ts"
import { type Instant, localDay } from "../../platform/kernel/index.ts"
import type { Read, StorageError } from "../../platform/storage/index.ts"
import { CallStore } from "../calls/index.ts"
import type { CampaignState } from "./Campaign.ts"
import type { CampaignContact } from "./CampaignContact.ts"
import { CampaignContactStore } from "./CampaignStore.ts"
import type { Situation } from "./DialPlan.ts"

export interface DialSituation {
  /**
   * Contacts that may be dialed now: in preview mode the approved ones, otherwise due retries first, then the list in its
   * order.
   */
  readonly dueContacts: (
    campaign: CampaignState,
    options: { readonly at: Instant.Instant; readonly limit: number }
  ) => Effect.Effect<ReadonlyArray<CampaignContact>, StorageError, Read>
  /** The campaign's situation, given its account and how many contacts were found due. */
  readonly load: (
    campaign: CampaignState,
    options: { readonly at: Instant.Instant; readonly account: Account | null; readonly due: number }
  ) => Effect.Effect<Situation, StorageError, Read>
}

export const makeDialSituation = Effect.gen(function* () {
  const contacts = yield* CampaignContactStore
  const calls = yield* CallStore

  const dueContacts: DialSituation["dueContacts"] = Effect.fnUntraced(function* (campaign, { at, limit }) {
    const due = campaign.dialMode === "preview" ? contacts.dueApproved : contacts.due
    return yield* due(campaign.id, at, limit)
  })

  const load: DialSituation["load"] = Effect.fnUntraced(function* (campaign, { account, at, due }) {
    const preview = campaign.dialMode === "preview"
    return {
      campaign,
      accountOpen: account !== null && isActive(account) && account.voiceCampaigns,
      openCalls: yield* calls.countOpenOfCampaign(campaign.id),
      ...(campaign.maxCallsPerDay === null
        ? {}
        : { startedToday: yield* calls.startedSince(campaign.id, localDay(campaign.timezone, at).start) }),
      due,
      pendingApproval: preview && due === 0 ? (yield* contacts.pendingApproval(campaign.id, 1)).length : 0,
      nextRetryAt: due === 0 ? yield* contacts.nextRetryAt(campaign.id, preview) : null
    }
  })

  return { dueContacts, load } satisfies DialSituation
})
