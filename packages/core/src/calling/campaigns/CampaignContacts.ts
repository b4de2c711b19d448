/** The list of a campaign: adding to it, looking at it, and a person's word in preview mode. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
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
import { acceptsContacts, isTerminal } from "./Campaign.ts"
import { type CampaignContact, newContact } from "./CampaignContact.ts"
import {
  CampaignEnded,
  type CampaignNotFound,
  ContactNotFound,
  ContactsClosed,
  NotPreview,
  NotWaiting
} from "./CampaignErrors.ts"
import { CampaignContactStore, CampaignStore } from "./CampaignStore.ts"
import { Campaigns } from "./Campaigns.ts"
import { DialerSignal } from "./DialerSignal.ts"

export interface NewContact {
  readonly phone: string
  readonly name: string | null
}

export interface ContactsAdded {
  readonly inserted: number
  readonly skippedInvalid: number
  readonly totalNow: number
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
      page: Page
    ) => Effect.Effect<Paged<CampaignContact>, CampaignNotFound | StorageError>
    /** Gives a person's word for one contact; it covers the contact's retries. Source: docs/reference/campaigns.md#preview. */
    readonly approve: (
      tenantId: Ids.AccountId,
      id: Ids.CampaignId,
      contactId: Ids.ContactId
    ) => Effect.Effect<
      CampaignContact,
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
        page: Page
      ) {
        const campaign = yield* campaigns.get(tenantId, id)
        return { items: yield* storage.read(contacts.list(id, page)), total: campaign.totalContacts }
      })

      const approve = tracedFn("CampaignContacts.approve")(
        function* (tenantId: Ids.AccountId, id: Ids.CampaignId, contactId: Ids.ContactId) {
          const campaign = yield* campaigns.locked(tenantId, id)
          const contact = yield* contacts.find(id, contactId)
          if (contact === null) return yield* new ContactNotFound({ id: contactId })
          if (campaign.dialMode !== "preview") return yield* new NotPreview({ dialMode: campaign.dialMode })
          if (isTerminal(campaign.status)) return yield* new CampaignEnded({ status: campaign.status })
          if (contact.status !== "pending" || contact.approvedAt !== null)
            return yield* new NotWaiting({ status: contact.status })
          const at = yield* Instant.now
          const approved: CampaignContact = { ...contact, status: "approved", approvedAt: at }
          yield* contacts.save(approved)
          if (campaign.status === "running") yield* store.save({ ...campaign, nextDialAt: at })
          return approved
        },
        storage.transact,
        Effect.tap(wake)
      )

      return CampaignContacts.of({
        add,
        list,
        approve,
        find: (campaignId, id) => storage.read(contacts.find(campaignId, id))
      })
    })
  )
}
