/** The address book as the port that keeps what people have agreed to. Source: docs/reference/opt-outs.md#platform. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Instant } from "../../platform/kernel/index.ts"
import { samePerson, seekRange, usable } from "../../platform/numbers/index.ts"
import { PersonConsent } from "../../platform/overview/index.ts"
import { lock } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import { ContactStore, everybody } from "./ContactStore.ts"

/** Contacts of the same number all say so. */
export const layer = Layer.effect(
  PersonConsent,
  Effect.map(ContactStore, (store) => ({
    given: Effect.fnUntraced(function* (tenantId: Ids.AccountId, phone: string) {
      const number = usable(phone)
      if (number === undefined) return
      yield* lock("contact-import", tenantId)
      const near = yield* store.between(tenantId, seekRange(number.key), everybody)
      for (const contact of near.filter(({ matchKey, optedIn }) => !optedIn && samePerson(matchKey, number.key))) {
        yield* store.save({ ...contact, optedIn: true, updatedAt: yield* Instant.now })
      }
    })
  }))
)
