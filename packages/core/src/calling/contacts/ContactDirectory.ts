/** The address book and the do-not-call list, as areas that write to people read them. Source: docs/reference/contacts.md#crm. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { lockKey, type MatchKey, samePerson, seekRanges } from "../../platform/numbers/index.ts"
import { AddressBook, type BookEntry, type Segment } from "../../platform/overview/index.ts"
import * as Ids from "../CallingIds.ts"
import { SuppressionStore } from "../suppression/index.ts"
import { ContactStore } from "./ContactStore.ts"
import type { CrmContact } from "./CrmContact.ts"

const entryOf = ({ company, custom, email, firstName, lastName, name, optedIn, phone }: CrmContact): BookEntry => ({
  phone,
  name,
  firstName,
  lastName,
  email,
  company,
  optedIn,
  custom
})

/** For each key what has the same person's key. */
const byPerson = <A>(
  found: ReadonlyArray<A>,
  keyOf: (one: A) => MatchKey,
  keys: ReadonlyArray<MatchKey>
): ReadonlyArray<ReadonlyArray<A>> => {
  const near = Map.groupBy(found, (one) => lockKey(keyOf(one)))
  return keys.map((key) => (near.get(lockKey(key)) ?? []).filter((one) => samePerson(keyOf(one), key)))
}

/** Ids ascend. */
const newer = (one: CrmContact, other: CrmContact): CrmContact => (one.id > other.id ? one : other)

export const layer = Layer.effect(
  AddressBook,
  Effect.gen(function* () {
    const contacts = yield* ContactStore
    const suppression = yield* SuppressionStore
    return {
      ofNumbers: Effect.fnUntraced(function* (tenantId: Ids.AccountId, keys: ReadonlyArray<MatchKey>) {
        const near = yield* contacts.near(tenantId, seekRanges(keys))
        return byPerson(near, ({ matchKey }) => matchKey, keys).map((people) =>
          people.length === 0
            ? null
            : { ...entryOf(people.reduce(newer)), optedIn: people.some(({ optedIn }) => optedIn) }
        )
      }),
      inSegment: Effect.fnUntraced(function* (
        tenantId: Ids.AccountId,
        segment: Segment,
        after: string | null,
        limit: number
      ) {
        const last = after === null ? null : Ids.as<"CrmContact">(after)
        const { contacts: found, next } = yield* contacts.segment(tenantId, segment, last, limit)
        return { entries: found.map(entryOf), next }
      }),
      doNotCall: Effect.fnUntraced(function* (tenantId: Ids.AccountId, keys: ReadonlyArray<MatchKey>) {
        const near = yield* suppression.keysNear(tenantId, seekRanges(keys))
        return byPerson(near, (key) => key, keys).map((entries) => entries.length > 0)
      })
    }
  })
)
