/** Reads what decides whether contacts may be written to, in the caller's transaction. Source: docs/reference/template-campaigns.md#consent. */
import * as Effect from "effect/Effect"
import { type MatchKey, samePerson, usable } from "../../platform/numbers/index.ts"
import { AddressBook } from "../../platform/overview/index.ts"
import { together } from "../../platform/storage/index.ts"
import { BlockedStore, type ConnectedNumber } from "../channels/index.ts"
import type { Customer, Person } from "../customers/index.ts"
import { Customers } from "../customers/index.ts"
import { blockedNames } from "../numbers/index.ts"
import { OptOutList, type OptOutPerson } from "../opt-outs/index.ts"
import type { ContactFacts } from "./ContactDecision.ts"
import type { TemplateCampaign } from "./TemplateCampaign.ts"
import type { TemplateContact } from "./TemplateContact.ts"

/** A contact, the customer that it is on the campaign's number, and what is known of both. */
export interface Recipient {
  readonly contact: TemplateContact
  readonly person: Person
  /** Null while the number never had to do with them. */
  readonly customer: Customer | null
  readonly facts: ContactFacts
}

type Given = Pick<TemplateContact, "phone" | "matchKey" | "userId" | "name">

/** Who a contact is to the channel. */
export const personOfContact = ({ name, phone, userId }: Given): Person => ({
  phone: phone === null ? null : (usable(phone)?.digits ?? null),
  userRef: userId,
  name
})

/** Both ids of a person, as far as they are known. */
export const optOutPersonOf = ({ phone, userId }: Given, customer: Customer | null): OptOutPerson => ({
  phone: phone ?? customer?.phone ?? null,
  userId: userId ?? customer?.userRef ?? null
})

/** By whom a person is counted against the messaging limit: the number, else the network's id; null where neither is known. */
export const countedAs = ({ phone, userRef }: Pick<Person, "phone" | "userRef">): string | null => {
  const found = phone === null ? undefined : usable(phone)
  return found?.key ?? userRef
}

/** By which names a person may be blocked on the number. */
const namesOf = ({ contact: { phone, userId }, customer }: Pick<Recipient, "contact" | "customer">) =>
  blockedNames([phone, userId, customer?.phone ?? null, customer?.userRef ?? null])

/** Makes what reads the customers of contacts, and then what is known of them. */
export const recipientFacts = Effect.gen(function* () {
  const blockedPeople = yield* BlockedStore
  const book = yield* AddressBook
  const customers = yield* Customers
  const optOuts = yield* OptOutList

  const customersOf = Effect.fnUntraced(function* (number: ConnectedNumber, contacts: ReadonlyArray<TemplateContact>) {
    return yield* together(contacts, (contact) =>
      Effect.map(customers.find(number, personOfContact(contact)), (customer) => ({ contact, customer }))
    )
  })

  const factsOf = Effect.fnUntraced(function* (
    { respectDoNotCall, tenantId }: Pick<TemplateCampaign, "respectDoNotCall" | "tenantId">,
    number: ConnectedNumber,
    category: string | null,
    found: ReadonlyArray<Pick<Recipient, "contact" | "customer">>
  ) {
    const keys = [...new Set(found.flatMap(({ contact: { matchKey } }) => matchKey ?? []))]
    const entries = yield* book.ofNumbers(tenantId, keys)
    const suppressed = respectDoNotCall ? yield* book.doNotCall(tenantId, keys) : []
    const blocked = yield* blockedPeople.among(number.id, [...new Set(found.flatMap(namesOf))])
    const places = new Map(keys.map((key, nth) => [key, nth]))
    const own = number.displayPhoneNumber === null ? undefined : usable(number.displayPhoneNumber)?.key
    const optedOut = yield* together(found, ({ contact, customer }) =>
      optOuts.keeps(tenantId, optOutPersonOf(contact, customer), { phoneNumberId: number.phoneNumberId, category })
    )
    return found.map(({ contact, customer }, nth): Recipient => {
      const place = contact.matchKey === null ? undefined : places.get(contact.matchKey)
      return {
        contact,
        customer,
        person: personOfContact(contact),
        facts: {
          isOptedOut: optedOut[nth] === true,
          isDoNotCall: place !== undefined && suppressed[place] === true,
          isBlocked: namesOf({ contact, customer }).some((name) => blocked.has(name)),
          isOwnNumber: isSame(contact.matchKey, own),
          book: place === undefined ? null : (entries[place] ?? null)
        }
      }
    })
  })

  return { customersOf, factsOf }
})

const isSame = (one: MatchKey | null, other: MatchKey | undefined): boolean =>
  one !== null && other !== undefined && samePerson(one, other)
