/** The handler of a CSV import. */
import * as Effect from "effect/Effect"
import { actorOf, CurrentPrincipal } from "../../platform/accounts/index.ts"
import { booleanField, readImportForm } from "../../platform/http/Form.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { Wire } from "../../platform/kernel/index.ts"
import { answer } from "./ContactsHttp.ts"
import { Imports } from "./Imports.ts"
import { importsGroup } from "./ImportsApi.ts"

export const layer = () =>
  RouteHandlers.group(
    contract.add(importsGroup),
    "imports",
    Effect.fnUntraced(function* (handlers) {
      const imports = yield* Imports
      return handlers.handle(
        "importCsv",
        RouteHandlers.withForm(
          ({ request }) => readImportForm(request, { optedIn: booleanField("opted_in", false) }),
          Effect.fnUntraced(function* ({ form, params }) {
            const { caller, tenantId } = yield* CurrentPrincipal
            const upload = { ...form, actor: actorOf(caller) }
            return Wire.toWire(yield* answer(imports.importCsv(tenantId, params.campaign_id, upload)))
          })
        )
      )
    })
  )
