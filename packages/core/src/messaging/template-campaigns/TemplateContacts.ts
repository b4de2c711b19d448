/** The list of a template campaign: adding to it, looking at it, taking people off it. Source: docs/reference/template-campaigns.md#contacts. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Accounts, type Actor, operator } from "../../platform/accounts/index.ts"
import { Instant, type Page, type Paged, traced, tracedFn } from "../../platform/kernel/index.ts"
import { type MatchKey, samePerson, seekRange, usable } from "../../platform/numbers/index.ts"
import {
  AddressBook,
  type BookEntry,
  type CsvRefused,
  type ImportedList,
  type ImportReport,
  type ImportsMissing,
  ListImports,
  type ListUpload,
  type MappingRefused,
  type Segment
} from "../../platform/overview/index.ts"
import {
  AccountLimits,
  checkRoom,
  type LimitReached,
  type Read,
  Storage,
  type StorageError,
  type Tx
} from "../../platform/storage/index.ts"
import * as Ids from "../MessagingIds.ts"
import { type ContactCounts, type TemplateCampaign, takesContacts, totalOf } from "./TemplateCampaign.ts"
import {
  ListClosed,
  ListedContactNotFound,
  ListedContactStarted,
  type TemplateCampaignNotFound
} from "./TemplateCampaignErrors.ts"
import {
  TemplateCampaignStore,
  type TemplateContactFilter,
  TemplateContactStore,
  TemplateListStore
} from "./TemplateCampaignStore.ts"
import { TemplateCampaigns } from "./TemplateCampaigns.ts"
import { newTemplateContact, type TemplateContact } from "./TemplateContact.ts"

/** A person who is to be added: by phone, by the network's id, or by both. */
export interface GivenContact {
  readonly phone: string | null
  readonly userId: string | null
  readonly name: string | null
  readonly variables: Readonly<Record<string, string>>
  readonly optedIn: boolean
}

export interface ContactsListed {
  readonly added: number
  readonly skippedDuplicate: number
  readonly skippedInvalid: number
  readonly totalNow: number
}

export interface SegmentAdded {
  readonly matched: number
  readonly added: number
  readonly skippedDuplicate: number
  readonly totalNow: number
}

/** Contacts that one transaction adds, and rows of a file that are in memory at a time. */
const batchSize = 500

type Missing = StorageError | TemplateCampaignNotFound

export class TemplateContacts extends Context.Service<
  TemplateContacts,
  {
    /** Puts people on the list, in this order. A person is on it once: somebody who is on it already, or is named twice, is skipped. */
    readonly add: (
      tenantId: Ids.AccountId,
      id: Ids.TemplateCampaignId,
      given: ReadonlyArray<GivenContact>
    ) => Effect.Effect<ContactsListed, LimitReached | ListClosed | Missing>
    /** Puts the people of a segment of the address book on the list, as they are now. A dry run adds nobody. */
    readonly addSegment: (
      tenantId: Ids.AccountId,
      id: Ids.TemplateCampaignId,
      segment: Segment,
      dryRun: boolean
    ) => Effect.Effect<SegmentAdded, LimitReached | ListClosed | Missing>
    /**
     * Creates or updates a contact of the address book for every row of a CSV file, and puts each person on the list who is not on it:
     * all of it, or nothing. A dry run answers with the same numbers and writes nothing.
     */
    readonly importCsv: (
      tenantId: Ids.AccountId,
      id: Ids.TemplateCampaignId,
      upload: ListUpload,
      actor?: Actor
    ) => Effect.Effect<ImportReport, CsvRefused | ImportsMissing | LimitReached | ListClosed | MappingRefused | Missing>
    /** In the order in which they were added. */
    readonly list: (
      tenantId: Ids.AccountId,
      id: Ids.TemplateCampaignId,
      filter: TemplateContactFilter,
      page: Page
    ) => Effect.Effect<Paged<TemplateContact>, Missing>
    /** Contacts behind a place of the list, and the place that the next ones are behind; null where there are no more. */
    readonly after: (
      tenantId: Ids.AccountId,
      id: Ids.TemplateCampaignId,
      filter: TemplateContactFilter,
      place: number | null
    ) => Effect.Effect<{ readonly contacts: ReadonlyArray<TemplateContact>; readonly next: number | null }, Missing>
    /** Takes somebody off the list who has not been written to. */
    readonly remove: (
      tenantId: Ids.AccountId,
      id: Ids.TemplateCampaignId,
      contactId: Ids.TemplateContactId
    ) => Effect.Effect<void, ListedContactNotFound | ListedContactStarted | Missing>
  }
>()("@trunkline/core/messaging/template-campaigns/TemplateContacts") {
  static readonly layer = Layer.effect(
    TemplateContacts,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const book = yield* AddressBook
      const campaigns = yield* TemplateCampaigns
      const contacts = yield* TemplateContactStore
      const imports = yield* ListImports
      const lists = yield* TemplateListStore
      const { campaignContacts: max } = yield* AccountLimits
      const storage = yield* Storage
      const store = yield* TemplateCampaignStore

      const opened = Effect.fnUntraced(function* (tenantId: Ids.AccountId, id: Ids.TemplateCampaignId) {
        const campaign = yield* campaigns.locked(tenantId, id)
        return takesContacts(campaign.status) ? campaign : yield* new ListClosed({ status: campaign.status })
      })

      /** The list as an import knows it. */
      const importedList = (
        tenantId: Ids.AccountId,
        id: Ids.TemplateCampaignId,
        actor: Actor
      ): ImportedList<ListClosed | TemplateCampaignNotFound> => ({
        kind: "templateCampaign",
        id,
        total: Effect.flatMap(campaigns.get(tenantId, id), ({ counts, status }) =>
          takesContacts(status) ? Effect.succeed(totalOf(counts)) : Effect.fail(new ListClosed({ status }))
        ),
        locked: Effect.map(opened(tenantId, id), (campaign) => ({
          total: totalOf(campaign.counts),
          nextSeq: campaign.nextSeq,
          attached: Effect.fnUntraced(function* (many, at) {
            const counts = { ...campaign.counts, queued: campaign.counts.queued + many }
            yield* store.save({ ...campaign, counts, nextSeq: campaign.nextSeq + many, updatedAt: at })
            yield* accounts.record(tenantId, actor, "template_campaign.import", id, campaign.name)
          })
        }))
      })

      /** True of a person who is on the list already. */
      const isListed = Effect.fnUntraced(function* (id: Ids.TemplateCampaignId, { matchKey, userId }: Keys) {
        if (userId !== null && (yield* lists.isUserOn(id, userId))) return true
        if (matchKey === null) return false
        const near = yield* lists.near(id, seekRange(matchKey))
        return near.some((one) => one.matchKey !== null && samePerson(one.matchKey, matchKey))
      })

      /** People who are neither on the list nor named before. */
      const newOnes = Effect.fnUntraced(function* (
        id: Ids.TemplateCampaignId,
        people: ReadonlyArray<Person>,
        seen: SeenPeople
      ): Effect.fn.Return<ReadonlyArray<Person>, StorageError, Read> {
        const found: Array<Person> = []
        for (const person of people) {
          if (!seen.add(person) && !(yield* isListed(id, person))) found.push(person)
        }
        return found
      })

      const append = Effect.fnUntraced(function* (
        campaign: TemplateCampaign,
        people: ReadonlyArray<Person>
      ): Effect.fn.Return<TemplateCampaign, LimitReached | StorageError, Tx | Read> {
        const present = totalOf(campaign.counts)
        yield* checkRoom("campaignContacts", max, { present, adding: people.length })
        if (people.length === 0) return campaign
        const at = yield* Instant.now
        const next = yield* Ids.source
        const { id: campaignId, nextSeq, tenantId } = campaign
        yield* contacts.add(
          people.map((person, nth) =>
            newTemplateContact({ tenantId, campaignId }, { ...person, id: Ids.as(next()), seq: nextSeq + nth }, at)
          )
        )
        const counts = { ...campaign.counts, queued: campaign.counts.queued + people.length }
        const after = { ...campaign, counts, nextSeq: nextSeq + people.length, updatedAt: at }
        yield* store.save(after)
        return after
      })

      const add = tracedFn("TemplateContacts.add")(function* (
        tenantId: Ids.AccountId,
        id: Ids.TemplateCampaignId,
        given: ReadonlyArray<GivenContact>
      ) {
        const campaign = yield* opened(tenantId, id)
        const people = given.flatMap(personsOf)
        const added = yield* newOnes(id, people, new SeenPeople())
        const after = yield* append(campaign, added)
        return {
          added: added.length,
          skippedDuplicate: people.length - added.length,
          skippedInvalid: given.length - people.length,
          totalNow: totalOf(after.counts)
        }
      }, storage.transact)

      /** All of a segment in one transaction: a list has everybody, or nobody where there is no room. */
      const addSegment = Effect.fnUntraced(function* (
        tenantId: Ids.AccountId,
        id: Ids.TemplateCampaignId,
        segment: Segment
      ) {
        let campaign = yield* opened(tenantId, id)
        const seen = new SeenPeople()
        let [matched, added] = [0, 0]
        for (let after: string | null = null; ; ) {
          const page: { readonly entries: ReadonlyArray<BookEntry>; readonly next: string | null } =
            yield* book.inSegment(tenantId, segment, after, batchSize)
          const people = page.entries.flatMap((entry) => personsOf(ofBook(entry)))
          const fresh = yield* newOnes(id, people, seen)
          campaign = yield* append(campaign, fresh)
          matched += page.entries.length
          added += fresh.length
          if (page.next === null) break
          after = page.next
        }
        return { matched, added, skippedDuplicate: matched - added, totalNow: totalOf(campaign.counts) }
      })

      const countSegment = Effect.fnUntraced(function* (
        tenantId: Ids.AccountId,
        id: Ids.TemplateCampaignId,
        segment: Segment
      ) {
        const { counts, status } = yield* campaigns.get(tenantId, id)
        if (!takesContacts(status)) return yield* new ListClosed({ status })
        const seen = new SeenPeople()
        let [matched, added] = [0, 0]
        for (let after: string | null = null; ; ) {
          const page: { readonly entries: ReadonlyArray<BookEntry>; readonly next: string | null } =
            yield* storage.read(book.inSegment(tenantId, segment, after, batchSize))
          const people = page.entries.flatMap((entry) => personsOf(ofBook(entry)))
          added += (yield* storage.read(newOnes(id, people, seen))).length
          matched += page.entries.length
          if (page.next === null) break
          after = page.next
        }
        return { matched, added, skippedDuplicate: matched - added, totalNow: totalOf(counts) }
      })

      const remove = tracedFn("TemplateContacts.remove")(function* (
        tenantId: Ids.AccountId,
        id: Ids.TemplateCampaignId,
        contactId: Ids.TemplateContactId
      ) {
        const campaign = yield* campaigns.locked(tenantId, id)
        const contact = yield* lists.find(id, contactId)
        if (contact === null) return yield* new ListedContactNotFound({ id: contactId })
        if (contact.status !== "queued") return yield* new ListedContactStarted({ status: contact.status })
        yield* lists.remove(contact)
        yield* store.save({
          ...campaign,
          counts: { ...campaign.counts, queued: campaign.counts.queued - 1 },
          updatedAt: yield* Instant.now
        })
      }, storage.transact)

      return TemplateContacts.of({
        add,
        addSegment: (tenantId, id, segment, dryRun) =>
          traced("TemplateContacts.addSegment")(
            dryRun ? countSegment(tenantId, id, segment) : storage.transact(addSegment(tenantId, id, segment))
          ),
        list: Effect.fnUntraced(function* (tenantId, id, filter, page) {
          const { counts } = yield* campaigns.get(tenantId, id)
          const known = knownCount(filter, counts)
          const total = known === null ? lists.count(id, filter) : Effect.succeed(known)
          return yield* storage.read(Effect.all({ items: lists.list(id, filter, page), total }))
        }),
        after: Effect.fnUntraced(function* (tenantId, id, filter, place) {
          yield* campaigns.get(tenantId, id)
          const found = yield* storage.read(lists.after(id, filter, place ?? -1, batchSize))
          return { contacts: found, next: found.at(-1)?.seq ?? null }
        }),
        importCsv: (tenantId, id, upload, actor = operator) =>
          traced("TemplateContacts.importCsv")(imports.importCsv(tenantId, importedList(tenantId, id, actor), upload)),
        remove
      })
    })
  )
}

/** How many contacts a filter finds, where the campaign has counted them: a million rows are not counted for each page. Null where it has not. */
const knownCount = (
  { phone, reason, replied, status }: TemplateContactFilter,
  counts: ContactCounts
): number | null => {
  if (phone !== null || reason !== null || (status !== null && replied !== null)) return null
  if (status !== null) return counts[status]
  if (replied !== null) return replied ? counts.replied : totalOf(counts) - counts.replied
  return totalOf(counts)
}

interface Keys {
  readonly matchKey: MatchKey | null
  readonly userId: string | null
}

type Person = Pick<TemplateContact, "phone" | "matchKey" | "userId" | "name" | "variables" | "optedIn">

/** Nobody where there is neither a usable number nor an id. */
const personsOf = ({ phone, userId, ...given }: GivenContact): ReadonlyArray<Person> => {
  const matchKey = phone === null ? null : (usable(phone)?.key ?? null)
  if (matchKey === null && userId === null) return []
  return [{ ...given, phone: matchKey === null ? null : phone, matchKey, userId }]
}

const ofBook = ({ name, optedIn, phone }: BookEntry): GivenContact => ({
  phone,
  userId: null,
  name,
  variables: {},
  optedIn
})

/** People who were named in one request, by number or id. */
class SeenPeople {
  readonly #users = new Set<string>()
  /** Keys by their first digits, within which two may be one person's. */
  readonly #keys = new Map<string, Array<MatchKey>>()

  /** True where the person was named before. */
  add({ matchKey, userId }: Keys): boolean {
    const isKnownUser = userId !== null && this.#users.has(userId)
    const near = matchKey === null ? [] : (this.#keys.get(seekRange(matchKey).from) ?? [])
    const isKnownKey = matchKey !== null && near.some((one) => samePerson(one, matchKey))
    if (userId !== null) this.#users.add(userId)
    if (matchKey !== null && !isKnownKey) this.#keys.set(seekRange(matchKey).from, [...near, matchKey])
    return isKnownUser || isKnownKey
  }
}
