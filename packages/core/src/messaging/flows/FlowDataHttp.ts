/** Handler of the endpoint at which a channel's network asks about flows. */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Brand } from "../../platform/brand/index.ts"
import { RouteHandlers, rawRequest, unproven } from "../../platform/http/index.ts"
import { answering, NotFound } from "../../platform/http/PlatformErrors.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { storageErrors } from "../../platform/storage/index.ts"
import { FlowAnswers, type FlowDataAnswer } from "./FlowAnswers.ts"
import { flowDataGroup } from "./FlowDataApi.ts"

const answer = answering(storageErrors)

/** The statuses by which the network knows what to do next. */
const statuses: Readonly<Record<Extract<FlowDataAnswer, string>, number>> = {
  unproven: 432,
  unreadable: 421,
  unanswered: 500
}

const refused = (why: Extract<FlowDataAnswer, string>) => HttpServerResponse.empty({ status: statuses[why] })

export const layer = (brand: Pick<Brand, "channel">) =>
  RouteHandlers.group(
    contract.add(flowDataGroup(brand)),
    "flowData",
    Effect.fnUntraced(function* (handlers) {
      const service = yield* FlowAnswers
      return handlers.handleRaw(
        "ask",
        Effect.fnUntraced(function* ({ params, request }) {
          const found = yield* answer(service.find(params.endpoint_id))
          if (found === null) return yield* new NotFound({ detail: "Not Found" })
          const { proof } = found
          if (unproven(request, proof) !== null) return refused("unproven")
          const callback = { ...(yield* rawRequest(request, proof)), resource: null }
          const answered = yield* answer(service.answer(found, callback))
          if (typeof answered === "string") return refused(answered)
          const { body, headers, status } = answered
          return HttpServerResponse.text(body, {
            status,
            headers,
            contentType: headers["content-type"] ?? "text/plain"
          })
        })
      )
    })
  )
