/** The preview desk: it shows each person another contact that waits for an approval. Source: docs/reference/campaigns.md#preview-desk. */
import * as Effect from "effect/Effect"
import { DashboardFacts } from "../../platform/brand/index.ts"
import { Instant, tracedFn } from "../../platform/kernel/index.ts"
import { PhoneNumber } from "../../platform/numbers/index.ts"
import { PersonConversations } from "../../platform/overview/index.ts"
import { lock, Storage } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import { type Call, CallListStore } from "../calls/index.ts"
import {
  awaitsApproval,
  type CampaignContact,
  CampaignContactStore,
  CampaignEnded,
  CampaignNotFound,
  type CampaignState,
  CampaignStore,
  Campaigns,
  ContactNotFound,
  type ContactView,
  DialerSignal,
  firstFree,
  type Holder,
  HoldStore,
  isTerminal,
  makeContactViews,
  NotPreview,
  NotWaiting,
  redialAt
} from "../campaigns/index.ts"
import { Contacts, type CrmContact } from "../contacts/index.ts"
import { Suppression } from "../suppression/index.ts"
import { ContactHeld } from "./PreviewErrors.ts"

/** A storage may send together what is asked side by side. */
const sideBySide = { concurrency: "unbounded" } as const

/** Calls to the person, in the answer. */
const maxCallsShown = 5

/** A contact, and what its holder has to know of the person. */
export interface ShownContact {
  readonly contact: ContactView
  readonly suppressed: boolean
  readonly crm: CrmContact | null
  readonly calls: ReadonlyArray<Call>
  readonly conversationId: Ids.Id<"Conversation"> | null
  readonly heldUntil: Instant.Instant
}

interface Skip {
  readonly doNotCall: boolean
  readonly reason: string | null
}

export const makePreviewDesk = Effect.gen(function* () {
  const calls = yield* CallListStore
  const campaigns = yield* Campaigns
  const contacts = yield* CampaignContactStore
  const conversations = yield* PersonConversations
  const crm = yield* Contacts
  const { previewHoldSeconds } = yield* DashboardFacts
  const holds = yield* HoldStore
  const storage = yield* Storage
  const store = yield* CampaignStore
  const suppression = yield* Suppression
  const views = yield* makeContactViews
  const { wake } = yield* DialerSignal

  /** Nobody waits for the disk: who looked at what a power cut forgets, and everybody asks again. */
  const transact = storage.transactWith({ durability: "relaxed" })

  /** The campaign under its lock, which decides of many at once who is shown what. */
  const desk = Effect.fnUntraced(function* (tenantId: Ids.AccountId, id: Ids.CampaignId) {
    yield* lock("campaign", id)
    const at = yield* Instant.now
    const { campaign, present } = yield* Effect.all(
      { campaign: store.find(tenantId, id), present: holds.ofCampaign(id, at) },
      sideBySide
    )
    if (campaign === null) return yield* new CampaignNotFound({ id })
    if (campaign.dialMode !== "preview") return yield* new NotPreview({ dialMode: campaign.dialMode })
    if (isTerminal(campaign.status)) return yield* new CampaignEnded({ status: campaign.status })
    return { campaign, at, present }
  })

  type Desk = Effect.Success<ReturnType<typeof desk>>

  /** A waiting contact that nobody else holds. */
  const free = Effect.fnUntraced(function* ({ campaign, present }: Desk, contactId: Ids.ContactId, holder: Holder) {
    const contact = yield* contacts.find(campaign.id, contactId)
    if (contact === null) return yield* new ContactNotFound({ id: contactId })
    if (!awaitsApproval(contact)) return yield* new NotWaiting({ status: contact.status })
    const other = present.find((hold) => hold.contactId === contactId && hold.actor !== holder.actor)
    if (other !== undefined) return yield* new ContactHeld({ holder: other.name ?? other.subject, until: other.until })
    return contact
  })

  const held = Effect.fnUntraced(function* ({ at, campaign }: Desk, contact: CampaignContact, holder: Holder) {
    const until = Instant.plus(at, previewHoldSeconds * Instant.second)
    yield* holds.put({ ...holder, tenantId: campaign.tenantId, campaignId: campaign.id, contactId: contact.id, until })
    return { contact, until }
  })

  /** What belongs to the person, read once the hold is committed. */
  const shown = Effect.fnUntraced(function* (
    tenantId: Ids.AccountId,
    campaignId: Ids.CampaignId,
    found: { readonly contact: CampaignContact; readonly until: Instant.Instant }
  ) {
    const { matchKey, phone } = found.contact
    const known = Effect.all(
      {
        viewed: views({ tenantId, id: campaignId }, [found.contact]),
        suppressed: suppression.listed(tenantId, matchKey),
        calls: calls.toPerson(tenantId, matchKey, maxCallsShown),
        conversationId: conversations.newest(tenantId, PhoneNumber.fold(phone))
      },
      sideBySide
    )
    const { book, read } = yield* Effect.all(
      { book: crm.list(tenantId, { phone }, { limit: 1, offset: 0 }), read: storage.read(known) },
      sideBySide
    )
    const { viewed, ...person } = read
    const contact = viewed[0]!
    const heldUntil = contact.heldUntil ?? found.until
    return { ...person, contact, crm: book.items[0] ?? null, heldUntil } satisfies ShownContact
  })

  const next = tracedFn("PreviewDesk.next")(function* (tenantId: Ids.AccountId, id: Ids.CampaignId, holder: Holder) {
    const found = yield* transact(
      Effect.gen(function* () {
        const present = yield* desk(tenantId, id)
        const own = present.present.find(({ actor }) => actor === holder.actor)
        const again = own === undefined ? null : yield* contacts.find(id, own.contactId)
        if (again !== null && awaitsApproval(again)) return yield* held(present, again, holder)
        // Each of the others holds one at most.
        const waiting = yield* holds.waiting(id, present.present.length + 1)
        const first = firstFree(waiting, present.present, holder.actor)
        if (first !== null) return yield* held(present, first, holder)
        if (own !== undefined) yield* holds.release({ tenantId, campaignId: id, actor: holder.actor })
        return null
      })
    )
    return found === null ? null : yield* shown(tenantId, id, found)
  })

  const hold = tracedFn("PreviewDesk.hold")(function* (
    tenantId: Ids.AccountId,
    id: Ids.CampaignId,
    contactId: Ids.ContactId,
    holder: Holder
  ) {
    const found = yield* transact(
      Effect.gen(function* () {
        const present = yield* desk(tenantId, id)
        return yield* held(present, yield* free(present, contactId, holder), holder)
      })
    )
    return yield* shown(tenantId, id, found)
  })

  /** Ends the holder's hold on this contact. That of somebody else, and one on another contact, stay. */
  const release = tracedFn("PreviewDesk.release")(function* (
    tenantId: Ids.AccountId,
    id: Ids.CampaignId,
    contactId: Ids.ContactId,
    holder: Holder
  ) {
    const { at, present } = yield* Effect.flatMap(campaigns.locked(tenantId, id), () =>
      Effect.flatMap(Instant.now, (at) => Effect.map(holds.ofCampaign(id, at), (present) => ({ at, present })))
    )
    if ((yield* contacts.find(id, contactId)) === null) return yield* new ContactNotFound({ id: contactId })
    const own = present.some((hold) => hold.actor === holder.actor && hold.contactId === contactId && hold.until > at)
    if (own) yield* holds.release({ tenantId, campaignId: id, actor: holder.actor })
  }, transact)

  /** Nobody on the do-not-call list is called: the contact fails as if it had been dialed. */
  const suppress = Effect.fnUntraced(function* (
    campaign: CampaignState,
    contact: CampaignContact,
    reason: string | null,
    at: Instant.Instant
  ) {
    const marked = yield* suppression.addWithin(campaign.tenantId, { phone: contact.phone, reason })
    const failed: CampaignContact = { ...contact, status: "failed", nextAttemptAt: null, lastError: "do_not_call" }
    yield* contacts.save(failed)
    yield* store.save(redialAt({ ...campaign, failedContacts: campaign.failedContacts + 1, updatedAt: at }, at))
    return { contact: failed, marked }
  })

  const skip = tracedFn("PreviewDesk.skip")(function* (
    tenantId: Ids.AccountId,
    id: Ids.CampaignId,
    contactId: Ids.ContactId,
    given: Skip & { readonly holder: Holder }
  ) {
    const { marked, view } = yield* transact(
      Effect.gen(function* () {
        const present = yield* desk(tenantId, id)
        const { at, campaign } = present
        const contact = yield* free(present, contactId, given.holder)
        const done = given.doNotCall
          ? yield* suppress(campaign, contact, given.reason, at)
          : { contact: { ...contact, skippedAt: at }, marked: [] }
        if (!given.doNotCall) yield* contacts.save(done.contact)
        yield* holds.releaseContact(contact)
        return { marked: done.marked, view: (yield* views(campaign, [done.contact]))[0]! }
      })
    )
    if (given.doNotCall) {
      yield* storage.durable
      yield* suppression.cancel(marked)
      yield* wake
    }
    return view
  })

  return { next, hold, release, skip }
})
