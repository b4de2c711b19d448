/** Handlers of flows and of the keys of numbers. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { actorOf, CurrentPrincipal } from "../../platform/accounts/index.ts"
import type { Brand } from "../../platform/brand/index.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { answering } from "../../platform/http/PlatformErrors.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { Wire } from "../../platform/kernel/index.ts"
import { storageErrors } from "../../platform/storage/index.ts"
import { messagingErrors } from "../channels/index.ts"
import { asTexts } from "../routes/MessagingApi.ts"
import { flowDataPathOf } from "./FlowDataApi.ts"
import { flowErrors } from "./FlowErrors.ts"
import { Flows } from "./Flows.ts"
import { flowKeysGroup, flowsGroup } from "./FlowsApi.ts"

const answer = answering({ ...flowErrors, ...messagingErrors, ...storageErrors })

const flows = (brand: Brand) =>
  RouteHandlers.group(
    contract.add(flowsGroup(brand)),
    "chatFlows",
    Effect.fnUntraced(function* (handlers) {
      const service = yield* Flows
      const dataPath = flowDataPathOf(brand.channel)
      return handlers.handleAll({
        list: Effect.fnUntraced(function* ({ query: { phone_number_id: number, ...query } }) {
          const { tenantId } = yield* CurrentPrincipal
          return yield* answer(service.list(tenantId, number, asTexts(query)))
        }),
        create: Effect.fnUntraced(function* ({ payload }) {
          const { tenantId } = yield* CurrentPrincipal
          const flow = {
            name: payload.name,
            categories: payload.categories,
            json: payload.flow_json ?? null,
            cloneOf: payload.clone_flow_id ?? null,
            publish: payload.publish ?? false,
            endpointUrl: payload.endpoint_url ?? null
          }
          return Wire.toWire(yield* answer(service.create(tenantId, payload.phone_number_id, flow, dataPath)))
        }),
        get: Effect.fnUntraced(function* ({ params, query: { phone_number_id: number, ...query } }) {
          const { tenantId } = yield* CurrentPrincipal
          return yield* answer(service.get(tenantId, number, params.flow_id, asTexts(query)))
        }),
        change: Effect.fnUntraced(function* ({ params, payload, query }) {
          const { tenantId } = yield* CurrentPrincipal
          const change = Wire.fromWire(payload)
          const secret = yield* answer(
            service.change(tenantId, query.phone_number_id, params.flow_id, change, dataPath)
          )
          return { success: true, endpoint_secret: secret }
        }),
        saveJson: Effect.fnUntraced(function* ({ params, payload, query }) {
          const { tenantId } = yield* CurrentPrincipal
          return Wire.toWire(yield* answer(service.saveJson(tenantId, query.phone_number_id, params.flow_id, payload)))
        }),
        json: Effect.fnUntraced(function* ({ params, query }) {
          const { tenantId } = yield* CurrentPrincipal
          return yield* answer(service.json(tenantId, query.phone_number_id, params.flow_id))
        }),
        publish: Effect.fnUntraced(function* ({ params, query }) {
          const { tenantId } = yield* CurrentPrincipal
          return yield* answer(service.publish(tenantId, query.phone_number_id, params.flow_id))
        }),
        deprecate: Effect.fnUntraced(function* ({ params, query }) {
          const { tenantId } = yield* CurrentPrincipal
          return yield* answer(service.deprecate(tenantId, query.phone_number_id, params.flow_id))
        }),
        remove: Effect.fnUntraced(function* ({ params, query }) {
          const { tenantId } = yield* CurrentPrincipal
          yield* answer(service.remove(tenantId, query.phone_number_id, params.flow_id))
        })
      })
    })
  )

const keys = (brand: Brand) =>
  RouteHandlers.group(
    contract.add(flowKeysGroup(brand)),
    "flowKeys",
    Effect.fnUntraced(function* (handlers) {
      const service = yield* Flows
      return handlers.handleAll({
        get: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          return Wire.toWire(yield* answer(service.key(tenantId, params.phone_id)))
        }),
        make: Effect.fnUntraced(function* ({ params }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          return Wire.toWire(yield* answer(service.makeKey(tenantId, params.phone_id, actorOf(caller))))
        })
      })
    })
  )

export const layer = (brand: Brand) => Layer.merge(flows(brand), keys(brand))
