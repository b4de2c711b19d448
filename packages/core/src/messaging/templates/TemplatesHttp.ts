/** Handlers of templates. */
import * as Effect from "effect/Effect"
import { actorOf, CurrentPrincipal } from "../../platform/accounts/index.ts"
import type { Brand } from "../../platform/brand/index.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { answering, Unprocessable } from "../../platform/http/PlatformErrors.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { storageErrors } from "../../platform/storage/index.ts"
import { messagingErrors } from "../channels/index.ts"
import { asTexts } from "../routes/MessagingApi.ts"
import { receivedFile } from "../routes/ReceivedFileHttp.ts"
import { PlatformFiles } from "../sending/index.ts"
import { Templates } from "./Templates.ts"
import { exampleTypes, maxExampleBytesOf, templatesGroup } from "./TemplatesApi.ts"

const answer = answering({ ...messagingErrors, ...storageErrors })

const wrongType = new Unprocessable({
  detail: [
    {
      loc: ["body", "file"],
      msg: `Expected a file of one of these types: ${exampleTypes.join(", ")}`,
      type: "file_type"
    }
  ]
})

export const layer = (brand: Brand) =>
  RouteHandlers.group(
    contract.add(templatesGroup(brand)),
    "chatTemplates",
    Effect.fnUntraced(function* (handlers) {
      const files = yield* PlatformFiles
      const service = yield* Templates
      return handlers.handleAll({
        list: Effect.fnUntraced(function* ({ query: { phone_number_id: number, ...query } }) {
          const { tenantId } = yield* CurrentPrincipal
          return yield* answer(service.list(tenantId, number, asTexts(query)))
        }),
        create: Effect.fnUntraced(function* ({ payload, query }) {
          const { tenantId } = yield* CurrentPrincipal
          return yield* answer(service.create(tenantId, query.phone_number_id, payload))
        }),
        get: Effect.fnUntraced(function* ({ params, query: { phone_number_id: number, ...query } }) {
          const { tenantId } = yield* CurrentPrincipal
          return yield* answer(service.get(tenantId, number, params.template_id, asTexts(query)))
        }),
        change: Effect.fnUntraced(function* ({ params, payload, query }) {
          const { tenantId } = yield* CurrentPrincipal
          return yield* answer(service.change(tenantId, query.phone_number_id, params.template_id, payload))
        }),
        unpause: Effect.fnUntraced(function* ({ params, query }) {
          const { tenantId } = yield* CurrentPrincipal
          return yield* answer(service.unpause(tenantId, query.phone_number_id, params.template_id))
        }),
        remove: Effect.fnUntraced(function* ({ params, query: { name, phone_number_id: number } }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          yield* answer(service.remove(tenantId, number, { name, id: params.template_id }, actorOf(caller)))
        }),
        removeNamed: Effect.fnUntraced(function* ({ query: { name, phone_number_id: number } }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          yield* answer(service.remove(tenantId, number, { name, id: null }, actorOf(caller)))
        }),
        keepExample: RouteHandlers.withForm(
          // A file of another type is refused by what it is, and not by its size.
          ({ request }) => receivedFile(files, request, maxExampleBytesOf),
          Effect.fnUntraced(function* ({ form: { phoneNumberId, ...file } }) {
            const { tenantId } = yield* CurrentPrincipal
            if (!exampleTypes.includes(file.contentType)) return yield* wrongType
            return { handle: yield* answer(service.keepExample(tenantId, phoneNumberId, file)) }
          })
        )
      })
    })
  )
