/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { change, nothing, storeTopics } from "../../platform/changes/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { samePerson, seekRange, usable } from "../../platform/numbers/index.ts"
import { PersonConsent } from "../../platform/overview/index.ts"
import { room } from "../../platform/room/index.ts"
import { lock } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import { contactErrors } from "./ContactErrors.ts"
import { ContactStore, everybody } from "./ContactStore.ts"
import { Contacts } from "./Contacts.ts"
import { contactsGroup } from "./ContactsApi.ts"
import * as ContactsHttp from "./ContactsHttp.ts"
import { ImportStore } from "./ImportStore.ts"
import { Imports } from "./Imports.ts"
import { importsGroup } from "./ImportsApi.ts"
import * as ImportsHttp from "./ImportsHttp.ts"

const changes = [
  storeTopics(ContactStore, {
    add: ({ tenantId }) => change(tenantId, "contacts"),
    save: ({ tenantId }) => change(tenantId, "contacts"),
    remove: (tenantId) => change(tenantId, "contacts")
  }),
  storeTopics(ImportStore, {
    stage: nothing,
    compare: nothing,
    apply: ({ campaignId, tenantId }) => change(tenantId, "contacts", "campaigns", `campaign:${campaignId}`)
  })
]

/** Contacts of the same number all say so. */
const consent = Layer.effect(
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

export const Room = room({
  name: "calling/contacts",
  stores: [ContactStore, ImportStore],
  changes,
  ports: consent,
  layer: Layer.merge(Contacts.layer, Imports.layer),
  api: () => [contactsGroup, importsGroup],
  handlers: () => Layer.merge(ContactsHttp.layer(), ImportsHttp.layer()),
  errors: contactErrors
})
