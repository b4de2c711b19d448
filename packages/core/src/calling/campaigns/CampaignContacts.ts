/** The list of a campaign: adding to it, looking at it, and a person's word in preview mode. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Accounts, type Actor } from "../../platform/accounts/index.ts"
import { Instant, type Page, type Paged, tracedFn } from "../../platform/kernel/index.ts"
import { PhoneNumber } from "../../platform/numbers/index.ts"
import {
  AccountLimits,
  checkRoom,
  type LimitReached,
  Storage,
  type StorageError
} from "../../platform/storage/index.ts"
import * as Ids from "../CallingIds.ts"
import { CallStore } from "../calls/index.ts"
import { acceptsContacts, type CampaignState, isTerminal } from "./Campaign.ts"
import { type CampaignContact, newContact } from "./CampaignContact.ts"
import { type CampaignCounts, campaignCounts } from "./CampaignCounts.ts"
import {
  CampaignEnded,
  type CampaignNotFound,
  ContactCalling,
  ContactNotFound,
  ContactsClosed,
  NotPreview,
  NotWaiting
} from "./CampaignErrors.ts"
import { redialAt } from "./CampaignProgress.ts"
import { CampaignContactStore, CampaignStore } from "./CampaignStore.ts"
import { Campaigns } from "./Campaigns.ts"
import { type ContactListFilter, ContactListStore, type RetryChoice } from "./ContactListStore.ts"
import { type ContactView, makeContactViews } from "./ContactViews.ts"
import { DialerSignal } from "./DialerSignal.ts"
import { HoldStore } from "./HoldStore.ts"
import { awaitsApproval } from "./PreviewHold.ts"

export interface NewContact {
  readonly phone: string
  readonly name: string | null
}

export interface ContactsAdded {
  readonly inserted: number
  readonly skippedInvalid: number
  readonly totalNow: number
}

export interface ContactsRetried {
  readonly retried: number
  /** Suppressed, not failed, or not on the list. */
  readonly skipped: number
}

export class CampaignContacts extends Context.Service<
  CampaignContacts,
  {
    /** Puts people on the list, in this order; the same number twice is two calls. Numbers that cannot be dialed are skipped. */
    readonly add: (
      tenantId: Ids.AccountId,
      id: Ids.CampaignId,
      added: ReadonlyArray<NewContact>
    ) => Effect.Effect<ContactsAdded, CampaignNotFound | ContactsClosed | LimitReached | StorageError>
    /** The contact of a call; null where it is gone. */
    readonly find: (
      campaignId: Ids.CampaignId,
      id: Ids.ContactId
    ) => Effect.Effect<CampaignContact | null, StorageError>
    readonly list: (
      tenantId: Ids.AccountId,
      id: Ids.CampaignId,
      filter: ContactListFilter,
      page: Page
    ) => Effect.Effect<Paged<ContactView>, CampaignNotFound | StorageError>
    /** How many contacts and calls there are of each kind. Source: docs/reference/campaigns.md#counts. */
    readonly counts: (
      tenantId: Ids.AccountId,
      id: Ids.CampaignId
    ) => Effect.Effect<CampaignCounts, CampaignNotFound | StorageError>
    /** Takes a person off the list. Calls that were placed stay. Source: docs/reference/campaigns.md#contacts. */
    readonly remove: (
      tenantId: Ids.AccountId,
      id: Ids.CampaignId,
      contactId: Ids.ContactId,
      actor: Actor
    ) => Effect.Effect<void, CampaignNotFound | ContactCalling | ContactNotFound | StorageError>
    /** Has failed contacts called again by order. Source: docs/reference/campaigns.md#retry-by-order. */
    readonly retry: (
      tenantId: Ids.AccountId,
      id: Ids.CampaignId,
      which: RetryChoice,
      actor: Actor
    ) => Effect.Effect<ContactsRetried, CampaignEnded | CampaignNotFound | StorageError>
    /** Gives a person's word for one contact; it covers the contact's retries. Source: docs/reference/campaigns.md#preview. */
    readonly approve: (
      tenantId: Ids.AccountId,
      id: Ids.CampaignId,
      contactId: Ids.ContactId,
      actor: Actor
    ) => Effect.Effect<
      ContactView,
      CampaignNotFound | ContactNotFound | NotPreview | NotWaiting | CampaignEnded | StorageError
    >
  }
>()("@trunkline/core/calling/campaigns/CampaignContacts") {
  static readonly layer = Layer.effect(
    CampaignContacts,
    Effect.gen(function* () {
      const campaigns = yield* Campaigns
      const contacts = yield* CampaignContactStore
      const storage = yield* Storage
      const store = yield* CampaignStore
      const { wake } = yield* DialerSignal
      const accounts = yield* Accounts
      const calls = yield* CallStore
      const holds = yield* HoldStore
      const lists = yield* ContactListStore
      const views = yield* makeContactViews
      const { campaignContacts: max } = yield* AccountLimits

      const add = tracedFn("CampaignContacts.add")(function* (
        tenantId: Ids.AccountId,
        id: Ids.CampaignId,
        added: ReadonlyArray<NewContact>
      ) {
        const campaign = yield* campaigns.locked(tenantId, id)
        if (!acceptsContacts(campaign.status)) return yield* new ContactsClosed({ status: campaign.status })
        const at = yield* Instant.now
        const next = yield* Ids.source
        const usable = added.flatMap((contact) => {
          const number = PhoneNumber.usable(contact.phone)
          return number === undefined ? [] : [{ ...contact, matchKey: number.key }]
        })
        yield* checkRoom("campaignContacts", max, { present: campaign.totalContacts, adding: usable.length })
        yield* contacts.add(
          usable.map((contact, i) =>
            newContact(campaign, { ...contact, id: Ids.as(next()), seq: campaign.nextSeq + i }, at)
          )
        )
        const totalNow = campaign.totalContacts + usable.length
        if (usable.length > 0) {
          yield* store.save({
            ...campaign,
            totalContacts: totalNow,
            nextSeq: campaign.nextSeq + usable.length,
            updatedAt: at
          })
        }
        return { inserted: usable.length, skippedInvalid: added.length - usable.length, totalNow }
      }, storage.transact)

      const list = tracedFn("CampaignContacts.list")(function* (
        tenantId: Ids.AccountId,
        id: Ids.CampaignId,
        filter: ContactListFilter,
        page: Page
      ) {
        const campaign = yield* campaigns.get(tenantId, id)
        const isFiltered =
          filter.status !== null || filter.lastError !== null || filter.outcome !== null || filter.search !== null
        const total = isFiltered ? lists.count(id, filter) : Effect.succeed(campaign.totalContacts)
        const items = Effect.flatMap(lists.list(id, filter, page), (found) => views(campaign, found))
        return yield* storage.read(Effect.all({ items, total }))
      })

      /** A hold on a contact that does not wait any more is none. */
      const countHeld = Effect.fnUntraced(function* (id: Ids.CampaignId, at: Instant.Instant) {
        const held = yield* holds.ofCampaign(id, at)
        const found = yield* contacts.many(held.map(({ contactId }) => contactId))
        return found.filter(awaitsApproval).length
      })

      const counts = tracedFn("CampaignContacts.counts")(function* (tenantId: Ids.AccountId, id: Ids.CampaignId) {
        yield* campaigns.get(tenantId, id)
        const at = yield* Instant.now
        return yield* storage.read(
          Effect.map(
            Effect.all({
              tally: lists.tally(id, at),
              held: countHeld(id, at),
              nextAttemptAt: contacts.nextRetryAt(id, false),
              calls: calls.count(tenantId, { campaignId: id, contactId: null, status: null }),
              answers: calls.answerCounts(id, Instant.make(0))
            }),
            (found) => campaignCounts(found)
          )
        )
      })

      const remove = tracedFn("CampaignContacts.remove")(
        function* (tenantId: Ids.AccountId, id: Ids.CampaignId, contactId: Ids.ContactId, actor: Actor) {
          const campaign = yield* campaigns.locked(tenantId, id)
          const contact = yield* contacts.find(id, contactId)
          if (contact === null) return yield* new ContactNotFound({ id: contactId })
          if (contact.status === "calling") return yield* new ContactCalling()
          yield* lists.remove(contact)
          yield* holds.releaseContact(contact)
          yield* store.save(withoutContact(campaign, contact, yield* Instant.now))
          yield* accounts.record(tenantId, actor, "contact.delete", contactId)
        },
        storage.transact,
        Effect.tap(wake)
      )

      const retry = tracedFn("CampaignContacts.retry")(
        function* (tenantId: Ids.AccountId, id: Ids.CampaignId, which: RetryChoice, actor: Actor) {
          const campaign = yield* campaigns.locked(tenantId, id)
          if (isTerminal(campaign.status)) return yield* new CampaignEnded({ status: campaign.status })
          const asked =
            which._tag === "Contacts" ? new Set(which.ids).size : yield* lists.countFailed(id, which.lastErrors)
          const retried = yield* lists.retry({ tenantId, campaignId: id }, which)
          if (retried > 0) {
            const at = yield* Instant.now
            const failedContacts = campaign.failedContacts - retried
            yield* store.save(redialAt({ ...campaign, failedContacts, updatedAt: at }, at))
            yield* accounts.record(tenantId, actor, "campaign.retry", id, campaign.name)
          }
          return { retried, skipped: asked - retried }
        },
        storage.transact,
        Effect.tap(wake)
      )

      const approve = tracedFn("CampaignContacts.approve")(
        function* (tenantId: Ids.AccountId, id: Ids.CampaignId, contactId: Ids.ContactId, actor: Actor) {
          const campaign = yield* campaigns.locked(tenantId, id)
          const contact = yield* contacts.find(id, contactId)
          if (contact === null) return yield* new ContactNotFound({ id: contactId })
          if (campaign.dialMode !== "preview") return yield* new NotPreview({ dialMode: campaign.dialMode })
          if (isTerminal(campaign.status)) return yield* new CampaignEnded({ status: campaign.status })
          if (!awaitsApproval(contact)) return yield* new NotWaiting({ status: contact.status })
          const at = yield* Instant.now
          const approved: CampaignContact = { ...contact, status: "approved", approvedAt: at, approvedBy: actor.id }
          yield* contacts.save(approved)
          yield* holds.releaseContact(contact)
          if (campaign.status === "running") yield* store.save({ ...campaign, nextDialAt: at })
          return (yield* views(campaign, [approved]))[0]!
        },
        storage.transactWith({ durability: "relaxed" }),
        // Others at the preview desk do not wait for the disk.
        Effect.tap(storage.durable),
        Effect.tap(wake)
      )

      return CampaignContacts.of({
        add,
        list,
        counts,
        remove,
        retry,
        approve,
        find: (campaignId, id) => storage.read(contacts.find(campaignId, id))
      })
    })
  )
}

/** A campaign whose list has one contact less. What is left may be nothing to call: the dialer looks at once. */
const withoutContact = (campaign: CampaignState, { status }: CampaignContact, at: Instant.Instant): CampaignState =>
  redialAt(
    {
      ...campaign,
      totalContacts: campaign.totalContacts - 1,
      completedContacts: campaign.completedContacts - (status === "done" ? 1 : 0),
      failedContacts: campaign.failedContacts - (status === "failed" ? 1 : 0),
      updatedAt: at
    },
    at
  )
