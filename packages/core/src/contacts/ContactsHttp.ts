/** Handlers of the account's CRM contacts. */
import * as Effect from "effect/Effect"
import { CurrentPrincipal } from "../access/index.ts"
import { campaignErrors } from "../campaigns/index.ts"
import { list, pageOf } from "../http/Lists.ts"
import { answering } from "../http/PlatformErrors.ts"
import { contract } from "../http/RoomContract.ts"
import * as RouteHandlers from "../http/RouteHandlers.ts"
import { Wire } from "../kernel/index.ts"
import { storageErrors } from "../storage/index.ts"
import { contactErrors } from "./ContactErrorTable.ts"
import { Contacts } from "./Contacts.ts"
import { contactsGroup } from "./ContactsApi.ts"
import { CrmContactRecord } from "./CrmContact.ts"

export const answer = answering({ ...campaignErrors, ...contactErrors, ...storageErrors })

const api = contract.add(contactsGroup)

const record = CrmContactRecord.toWire

export const layer = () =>
  RouteHandlers.group(
    api,
    "contacts",
    Effect.fnUntraced(function* (handlers) {
      const contacts = yield* Contacts
      return handlers.handleAll({
        list: Effect.fnUntraced(function* ({ query }) {
          const { tenantId } = yield* CurrentPrincipal
          return yield* list(
            yield* answer(contacts.list(tenantId, { phone: query.phone ?? null }, pageOf(query, 100))),
            record
          )
        }),
        get: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          return record(yield* answer(contacts.get(tenantId, params.contact_id)))
        }),
        change: Effect.fnUntraced(function* ({ params, payload: { custom, ...fields } }) {
          const { tenantId } = yield* CurrentPrincipal
          // The keys of `custom` are the account's own words.
          const change = { ...Wire.fromWire(fields), ...(custom === undefined ? {} : { custom }) }
          return record(yield* answer(contacts.change(tenantId, params.contact_id, change)))
        }),
        remove: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          yield* answer(contacts.remove(tenantId, params.contact_id))
        })
      })
    })
  )
