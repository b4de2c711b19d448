/** Handlers of catalogs. */
import * as Effect from "effect/Effect"
import { CurrentPrincipal } from "../../platform/accounts/index.ts"
import type { Brand } from "../../platform/brand/index.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { answering } from "../../platform/http/PlatformErrors.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { Wire } from "../../platform/kernel/index.ts"
import { storageErrors } from "../../platform/storage/index.ts"
import { messagingErrors } from "../channels/index.ts"
import { asTexts } from "../routes/MessagingApi.ts"
import { Commerce } from "./Commerce.ts"
import { commerceGroup } from "./CommerceApi.ts"

const answer = answering({ ...messagingErrors, ...storageErrors })

export const layer = (brand: Brand) =>
  RouteHandlers.group(
    contract.add(commerceGroup(brand)),
    "chatCommerce",
    Effect.fnUntraced(function* (handlers) {
      const service = yield* Commerce
      return handlers.handleAll({
        settings: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          return Wire.toWire(yield* answer(service.settings(tenantId, params.phone_id)))
        }),
        change: Effect.fnUntraced(function* ({ params, payload }) {
          const { tenantId } = yield* CurrentPrincipal
          return Wire.toWire(yield* answer(service.change(tenantId, params.phone_id, Wire.fromWire(payload))))
        }),
        catalogs: Effect.fnUntraced(function* ({ query: { phone_number_id: number, ...query } }) {
          const { tenantId } = yield* CurrentPrincipal
          return yield* answer(service.catalogs(tenantId, number, asTexts(query)))
        }),
        products: Effect.fnUntraced(function* ({ params, query: { phone_number_id: number, ...query } }) {
          const { tenantId } = yield* CurrentPrincipal
          return yield* answer(service.products(tenantId, number, params.catalog_id, asTexts(query)))
        })
      })
    })
  )
