/** Handlers of the account's CRM contacts. */
import * as Effect from "effect/Effect"
import { CurrentPrincipal } from "../../platform/accounts/index.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { list, pageOf } from "../../platform/http/Lists.ts"
import { answering } from "../../platform/http/PlatformErrors.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { Wire } from "../../platform/kernel/index.ts"
import { csvErrors } from "../../platform/overview/index.ts"
import { storageErrors } from "../../platform/storage/index.ts"
import { callErrors } from "../calls/index.ts"
import { campaignErrors } from "../campaigns/index.ts"
import { contactErrors } from "./ContactErrors.ts"
import { Contacts } from "./Contacts.ts"
import { contactsGroup } from "./ContactsApi.ts"
import { CrmContactRecord } from "./CrmContact.ts"

export const answer = answering({ ...callErrors, ...campaignErrors, ...csvErrors, ...contactErrors, ...storageErrors })

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
          const filter = { phone: query.phone ?? null, text: query.q ?? null, tag: query.tag ?? null }
          return yield* list(yield* answer(contacts.list(tenantId, filter, pageOf(query, 100))), record)
        }),
        create: Effect.fnUntraced(function* ({ payload: { custom, ...fields } }) {
          const { tenantId } = yield* CurrentPrincipal
          // The keys of `custom` are the account's own words.
          const contact = { ...Wire.fromWire(fields), ...(custom === undefined ? {} : { custom }) }
          return record(yield* answer(contacts.create(tenantId, contact)))
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
