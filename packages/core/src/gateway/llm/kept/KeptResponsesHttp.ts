/** Handlers of kept responses. */
import * as Effect from "effect/Effect"
import { RouteHandlers } from "../../../platform/http/index.ts"
import { contract } from "../../../platform/http/RoomContract.ts"
import { CurrentCaller } from "../../admission/InferenceAuth.ts"
import { answerInference } from "../../errors/InferenceAnswers.ts"
import { KeptResponses } from "./KeptResponses.ts"
import { keptResponsesGroup } from "./KeptResponsesApi.ts"

const api = contract.add(keptResponsesGroup)

/** Items of a page where the caller names no limit. */
const standardLimit = 20

export const layer = () =>
  RouteHandlers.group(
    api,
    "keptResponses",
    Effect.fnUntraced(function* (handlers) {
      const responses = yield* KeptResponses
      return handlers.handleAll({
        get: Effect.fnUntraced(function* ({ params }) {
          const { payer } = yield* CurrentCaller
          return yield* answerInference(responses.get(payer.tenantId, params.response_id))
        }),
        inputItems: Effect.fnUntraced(function* ({ params, query }) {
          const { payer } = yield* CurrentCaller
          const { after = null, limit = standardLimit, order = "desc" } = query
          return yield* answerInference(
            responses.inputItems(payer.tenantId, params.response_id, { after, limit, order })
          )
        }),
        remove: Effect.fnUntraced(function* ({ params: { response_id: id } }) {
          const { payer } = yield* CurrentCaller
          return yield* answerInference(
            Effect.as(responses.remove(payer.tenantId, id), { id, object: "response", deleted: true } as const)
          )
        })
      })
    })
  )
