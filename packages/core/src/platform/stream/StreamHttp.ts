/** The handler of the stream of changes. */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { CurrentPrincipal } from "../accounts/index.ts"
import { RouteHandlers } from "../http/index.ts"
import { answering } from "../http/PlatformErrors.ts"
import { contract } from "../http/RoomContract.ts"
import { storageErrors } from "../storage/index.ts"
import { streamErrors } from "./ChangeStreamErrors.ts"
import { ChangeStreams } from "./ChangeStreams.ts"
import { streamGroup } from "./StreamApi.ts"

const answer = answering({ ...streamErrors, ...storageErrors })

const api = contract.add(streamGroup)

/** Neither a cache, nor a host's compression, nor a proxy holds notes back. */
const unheld = { "cache-control": "no-store, no-transform", "x-accel-buffering": "no" } as const

export const layer = () =>
  RouteHandlers.group(
    api,
    "stream",
    Effect.fnUntraced(function* (handlers) {
      const streams = yield* ChangeStreams
      return handlers.handleAll({
        open: Effect.fnUntraced(function* () {
          const frames = yield* answer(streams.open(yield* CurrentPrincipal))
          return HttpServerResponse.stream(frames, { contentType: "text/event-stream", headers: unheld })
        })
      })
    })
  )
