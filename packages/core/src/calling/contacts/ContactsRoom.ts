/** This room, as the host has it. */
import * as Layer from "effect/Layer"
import { change, nothing, storeTopics } from "../../platform/changes/index.ts"
import { room } from "../../platform/room/index.ts"
import * as ContactConsent from "./ContactConsent.ts"
import * as ContactDirectory from "./ContactDirectory.ts"
import { contactErrors } from "./ContactErrors.ts"
import { ContactStore } from "./ContactStore.ts"
import { Contacts } from "./Contacts.ts"
import { contactsGroup } from "./ContactsApi.ts"
import * as ContactsHttp from "./ContactsHttp.ts"
import { ImportStore } from "./ImportStore.ts"
import { Imports } from "./Imports.ts"
import { importsGroup } from "./ImportsApi.ts"
import * as ImportsHttp from "./ImportsHttp.ts"
import * as ListImporter from "./ListImporter.ts"

const changes = [
  storeTopics(ContactStore, {
    add: ({ tenantId }) => change(tenantId, "contacts"),
    save: ({ tenantId }) => change(tenantId, "contacts"),
    remove: (tenantId) => change(tenantId, "contacts")
  }),
  storeTopics(ImportStore, {
    stage: nothing,
    compare: nothing,
    // The store of the list, which counts those who were put on it, says so of the list.
    apply: ({ tenantId }) => change(tenantId, "contacts")
  })
]

export const Room = room({
  name: "calling/contacts",
  stores: [ContactStore, ImportStore],
  changes,
  ports: Layer.mergeAll(ContactConsent.layer, ContactDirectory.layer, ListImporter.layer),
  layer: Layer.merge(Contacts.layer, Imports.layer),
  api: () => [contactsGroup, importsGroup],
  handlers: () => Layer.merge(ContactsHttp.layer(), ImportsHttp.layer()),
  errors: contactErrors
})
