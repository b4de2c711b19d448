/** A campaign's contacts with the results of their latest calls, as the rows of a file. Source: docs/reference/campaigns.md#csv. */
import * as Effect from "effect/Effect"
import { Money } from "../../platform/billing/index.ts"
import { Instant, tracedFn } from "../../platform/kernel/index.ts"
import { Storage } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import { type Call, CallListStore } from "../calls/index.ts"
import type { CampaignContact } from "./CampaignContact.ts"
import { type ContactListFilter, ContactListStore } from "./ContactListStore.ts"

/** Rows that are in memory at a time while a file is written. */
const batchSize = 500

const textOf = (at: Instant.Instant | null) => (at === null ? null : Instant.toIso(at))

const columns = {
  id: ({ id }) => id,
  phone: ({ phone }) => phone,
  name: ({ name }) => name,
  status: ({ status }) => status,
  attempts: ({ attempts }) => attempts,
  last_error: ({ lastError }) => lastError,
  next_attempt_at: ({ nextAttemptAt }) => textOf(nextAttemptAt),
  call_id: ({ callId }) => callId,
  call_status: (_, call) => call?.status ?? null,
  answered_by: (_, call) => call?.answeredBy ?? null,
  answered_at: (_, call) => textOf(call?.answeredAt ?? null),
  duration_seconds: (_, call) => call?.durationSeconds ?? null,
  credits: (_, call) => (call === undefined ? null : Money.toNumber(call.credits)),
  outcome: (_, call) => call?.outcome ?? null,
  note: (_, call) => call?.outcomeNote ?? null,
  approved_by: ({ approvedBy }) => approvedBy,
  created_at: ({ createdAt }) => Instant.toIso(createdAt)
} satisfies Readonly<Record<string, (contact: CampaignContact, call: Call | undefined) => string | number | null>>

export const contactColumns: ReadonlyArray<string> = Object.keys(columns)

const rowOf = (contact: CampaignContact, call: Call | undefined) =>
  Object.values(columns).map((cell) => cell(contact, call))

/** Reads the contacts behind a place of the list, and the place that the next ones are behind. */
export const makeContactPages = Effect.gen(function* () {
  const calls = yield* CallListStore
  const lists = yield* ContactListStore
  const storage = yield* Storage

  return tracedFn("ContactFile")(function* (
    campaign: { readonly tenantId: Ids.AccountId; readonly id: Ids.CampaignId },
    filter: ContactListFilter,
    after: number | null
  ) {
    const found = yield* lists.after(campaign.id, filter, after ?? -1, batchSize)
    const latest = yield* calls.many(
      campaign.tenantId,
      found.flatMap(({ callId }) => callId ?? [])
    )
    const byId = new Map(latest.map((call) => [call.id, call]))
    return {
      rows: found.map((contact) => rowOf(contact, contact.callId === null ? undefined : byId.get(contact.callId))),
      next: found.at(-1)?.seq ?? null
    }
  }, storage.read)
})
