/** Handlers of the do-not-call list. */
import * as Effect from "effect/Effect"
import { actorOf, CurrentPrincipal } from "../../platform/accounts/index.ts"
import { csvFile } from "../../platform/http/CsvFile.ts"
import { readImportForm, textField } from "../../platform/http/Form.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { list, pageOf } from "../../platform/http/Lists.ts"
import { answering } from "../../platform/http/PlatformErrors.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { Wire } from "../../platform/kernel/index.ts"
import { csvErrors } from "../../platform/overview/index.ts"
import { storageErrors } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import { type EntrySearch, Suppression } from "./Suppression.ts"
import { entryPages, suppressionGroup } from "./SuppressionApi.ts"
import { SuppressionRecord } from "./SuppressionEntry.ts"
import { suppressionErrors } from "./SuppressionErrors.ts"
import { entryCells, entryColumns, maxReasonLength } from "./SuppressionFile.ts"
import { SuppressionImports } from "./SuppressionImports.ts"

const answer = answering({ ...csvErrors, ...suppressionErrors, ...storageErrors })

const api = contract.add(suppressionGroup)

const searchOf = ({ phone, q }: { readonly phone?: string; readonly q?: string }): EntrySearch => ({
  phone: phone ?? null,
  reason: q ?? null
})

export const layer = () =>
  RouteHandlers.group(
    api,
    "suppression",
    Effect.fnUntraced(function* (handlers) {
      const suppression = yield* Suppression
      const imports = yield* SuppressionImports
      return handlers.handleAll({
        list: Effect.fnUntraced(function* ({ query }) {
          const { tenantId } = yield* CurrentPrincipal
          return yield* list(
            yield* answer(suppression.list(tenantId, pageOf(query, entryPages.standard), searchOf(query))),
            SuppressionRecord.toWire
          )
        }),
        exportEntries: Effect.fnUntraced(function* ({ query }) {
          const { tenantId } = yield* CurrentPrincipal
          const search = searchOf(query)
          return yield* answer(
            csvFile({
              name: "do-not-call",
              header: entryColumns,
              page: (before: Ids.EntryId | null) =>
                Effect.map(suppression.batch(tenantId, search, before), ({ items, next }) => ({
                  rows: items.map(entryCells),
                  next
                }))
            })
          )
        }),
        importCsv: RouteHandlers.withForm(
          ({ request }) => readImportForm(request, { reason: textField("reason", maxReasonLength) }),
          Effect.fnUntraced(function* ({ form }) {
            const { caller, tenantId } = yield* CurrentPrincipal
            return Wire.toWire(yield* answer(imports.importCsv(tenantId, { ...form, actor: actorOf(caller) })))
          })
        ),
        add: Effect.fnUntraced(function* ({ payload }) {
          const { tenantId } = yield* CurrentPrincipal
          const entries = payload.entries.map(({ phone, reason }) => ({ phone, reason: reason ?? null }))
          return Wire.toWire(yield* answer(suppression.add(tenantId, entries)))
        }),
        remove: Effect.fnUntraced(function* ({ params }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          yield* answer(suppression.remove(tenantId, params.entry_id, actorOf(caller)))
        })
      })
    })
  )
