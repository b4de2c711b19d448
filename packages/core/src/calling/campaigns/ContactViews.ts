/** Contacts of a campaign as people see them: with who holds them, and what was noted of their latest call. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Doer, DoerBody } from "../../platform/accounts/index.ts"
import { Instant, Wire } from "../../platform/kernel/index.ts"
import type * as Ids from "../CallingIds.ts"
import { CallListStore, type NotedOutcome, NotedOutcomeBody, notedOutcome } from "../calls/index.ts"
import { type CampaignContact, CampaignContactRecord } from "./CampaignContact.ts"
import { HoldStore } from "./HoldStore.ts"
import { awaitsApproval, type PreviewHold } from "./PreviewHold.ts"

export interface ContactView extends CampaignContact {
  readonly outcome: NotedOutcome | null
  readonly heldBy: Doer | null
  readonly heldUntil: Instant.Instant | null
}

const more = Schema.Struct({
  outcome: Schema.NullOr(NotedOutcomeBody),
  heldBy: Schema.NullOr(DoerBody),
  heldUntil: Schema.NullOr(Instant.Iso)
})

/** How a contact is shown. */
export const ContactBody = Schema.Struct({
  ...CampaignContactRecord.schema.fields,
  ...Wire.toWire(more.fields)
}).annotate({ identifier: "CampaignContact" })

export const contactBody = (view: ContactView): typeof ContactBody.Type => ({
  ...CampaignContactRecord.toWire(view),
  outcome: view.outcome,
  held_by: view.heldBy,
  held_until: view.heldUntil
})

/** Who holds a contact; nobody where it does not wait any more. */
export const shownHold = (contact: Pick<CampaignContact, "approvedAt" | "status">, hold: PreviewHold | undefined) =>
  hold === undefined || !awaitsApproval(contact)
    ? { heldBy: null, heldUntil: null }
    : { heldBy: { subject: hold.subject, name: hold.name }, heldUntil: hold.until }

/** Looks up what belongs to contacts of one campaign. */
export const makeContactViews = Effect.gen(function* () {
  const calls = yield* CallListStore
  const holds = yield* HoldStore

  return Effect.fnUntraced(function* (
    campaign: { readonly tenantId: Ids.AccountId; readonly id: Ids.CampaignId },
    contacts: ReadonlyArray<CampaignContact>
  ) {
    const at = yield* Instant.now
    const called = contacts.flatMap(({ callId }) => callId ?? [])
    const { found, present } = yield* Effect.all(
      { found: calls.many(campaign.tenantId, called), present: holds.ofCampaign(campaign.id, at) },
      { concurrency: "unbounded" }
    )
    const latest = new Map(found.map((call) => [call.id, call]))
    const byContact = new Map(present.map((hold) => [hold.contactId, hold]))
    return contacts.map((contact): ContactView => {
      const call = contact.callId === null ? undefined : latest.get(contact.callId)
      return {
        ...contact,
        outcome: call === undefined ? null : notedOutcome(call),
        ...shownHold(contact, byContact.get(contact.id))
      }
    })
  })
})
