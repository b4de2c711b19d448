/** The address book as the API shows and corrects it. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Instant, type Page, type Paged, tracedFn } from "../../platform/kernel/index.ts"
import { PhoneNumber } from "../../platform/numbers/index.ts"
import {
  AccountLimits,
  checkRoom,
  type LimitReached,
  lock,
  Storage,
  type StorageError
} from "../../platform/storage/index.ts"
import * as Ids from "../CallingIds.ts"
import { UnusableNumber } from "../calls/index.ts"
import { ContactExists, CrmContactNotFound } from "./ContactErrors.ts"
import { ContactStore, type CrmContactSearch, everybody } from "./ContactStore.ts"
import type { CrmContact } from "./CrmContact.ts"

export interface ContactFilter extends Partial<CrmContactSearch> {
  /** Only contacts with this number, however it is written; null for all. */
  readonly phone: string | null
}

/** What may be changed of a contact: its number is whose it is, and another number is another person. */
export type ContactChange = Partial<
  Pick<CrmContact, "name" | "firstName" | "lastName" | "email" | "company" | "tags" | "notes" | "optedIn" | "custom">
>

/** A contact that is made by itself: a number, and what is known of the person. */
export interface NewCrmContact extends ContactChange {
  readonly phone: string
}

const nobody: Paged<CrmContact> = { items: [], total: 0 }

const unknown: Required<ContactChange> = {
  name: null,
  firstName: null,
  lastName: null,
  email: null,
  company: null,
  tags: [],
  notes: null,
  optedIn: false,
  custom: {}
}

export class Contacts extends Context.Service<
  Contacts,
  {
    /** Newest first. A number that cannot be dialed matches no contact. Source: docs/reference/contacts.md#crm. */
    readonly list: (
      tenantId: Ids.AccountId,
      filter: ContactFilter,
      page: Page
    ) => Effect.Effect<Paged<CrmContact>, StorageError>
    /** Makes a contact whose trailing digits no other has. Source: docs/reference/contacts.md#crm. */
    readonly create: (
      tenantId: Ids.AccountId,
      contact: NewCrmContact
    ) => Effect.Effect<CrmContact, ContactExists | LimitReached | StorageError | UnusableNumber>
    readonly get: (
      tenantId: Ids.AccountId,
      id: Ids.CrmContactId
    ) => Effect.Effect<CrmContact, CrmContactNotFound | StorageError>
    /** Changes the fields that are given; `tags` and `custom` are replaced as a whole. Consent can be withdrawn here alone. */
    readonly change: (
      tenantId: Ids.AccountId,
      id: Ids.CrmContactId,
      change: ContactChange
    ) => Effect.Effect<CrmContact, CrmContactNotFound | StorageError>
    /** Deletes the record. Campaigns and conversations keep what they have of the person. Source: docs/reference/contacts.md#crm. */
    readonly remove: (
      tenantId: Ids.AccountId,
      id: Ids.CrmContactId
    ) => Effect.Effect<void, CrmContactNotFound | StorageError>
  }
>()("@trunkline/core/calling/contacts/Contacts") {
  static readonly layer = Layer.effect(
    Contacts,
    Effect.gen(function* () {
      const store = yield* ContactStore
      const storage = yield* Storage
      const { contacts: max } = yield* AccountLimits

      const alike = Effect.fnUntraced(function* (
        tenantId: Ids.AccountId,
        key: PhoneNumber.MatchKey,
        search: CrmContactSearch,
        page: Page
      ) {
        const near = yield* storage.read(store.between(tenantId, PhoneNumber.seekRange(key), search))
        const found = near.filter((contact) => PhoneNumber.samePerson(contact.matchKey, key))
        return { items: found.slice(page.offset, page.offset + page.limit), total: found.length }
      })

      return Contacts.of({
        list: tracedFn("Contacts.list")(function* (tenantId, { phone, tag = null, text = null }, page) {
          const search: CrmContactSearch = { tag, text }
          if (phone === null) {
            return yield* storage.read(
              Effect.all({ items: store.list(tenantId, search, page), total: store.count(tenantId, search) })
            )
          }
          const number = PhoneNumber.usable(phone)
          return number === undefined ? nobody : yield* alike(tenantId, number.key, search, page)
        }),
        create: tracedFn("Contacts.create")(function* (tenantId, { phone, ...known }) {
          const number = PhoneNumber.usable(phone)
          if (number === undefined) return yield* new UnusableNumber({ field: "phone", written: phone })
          yield* lock("contact-import", tenantId)
          const at = yield* Instant.now
          const contact: CrmContact = {
            ...unknown,
            ...known,
            id: yield* Ids.fresh<"CrmContact">(),
            tenantId,
            phone,
            matchKey: number.key,
            createdAt: at,
            updatedAt: at
          }
          const near = yield* store.between(tenantId, PhoneNumber.seekRange(number.key), everybody)
          const other = near.find(({ matchKey }) => PhoneNumber.sameDigits(matchKey, number.key))
          if (other !== undefined) return yield* new ContactExists({ id: other.id })
          if (max !== null) {
            yield* checkRoom("contacts", max, { present: yield* store.count(tenantId, everybody), adding: 1 })
          }
          yield* store.add(contact)
          return contact
        }, storage.transact),
        get: tracedFn("Contacts.get")(function* (tenantId, id) {
          return (yield* storage.read(store.find(tenantId, id))) ?? (yield* new CrmContactNotFound({ id }))
        }),
        change: tracedFn("Contacts.change")(function* (tenantId, id, change) {
          yield* lock("contact-import", tenantId)
          const present = (yield* store.find(tenantId, id)) ?? (yield* new CrmContactNotFound({ id }))
          const contact: CrmContact = { ...present, ...change, updatedAt: yield* Instant.now }
          yield* store.save(contact)
          return contact
        }, storage.transact),
        remove: tracedFn("Contacts.remove")(function* (tenantId, id) {
          yield* lock("contact-import", tenantId)
          if (!(yield* store.remove(tenantId, id))) return yield* new CrmContactNotFound({ id })
        }, storage.transact)
      })
    })
  )
}
