/** This room, as the host has it. */
import * as Layer from "effect/Layer"
import { room } from "../../platform/room/index.ts"
import { contactErrors } from "./ContactErrors.ts"
import { ContactStore } from "./ContactStore.ts"
import { Contacts } from "./Contacts.ts"
import { contactsGroup } from "./ContactsApi.ts"
import * as ContactsHttp from "./ContactsHttp.ts"
import { ImportStore } from "./ImportStore.ts"
import { Imports } from "./Imports.ts"
import { importsGroup } from "./ImportsApi.ts"
import * as ImportsHttp from "./ImportsHttp.ts"

export const Room = room({
  name: "calling/contacts",
  stores: [ContactStore, ImportStore],
  layer: Layer.merge(Contacts.layer, Imports.layer),
  api: () => [contactsGroup, importsGroup],
  handlers: () => Layer.merge(ContactsHttp.layer(), ImportsHttp.layer()),
  errors: contactErrors
})
