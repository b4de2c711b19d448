/** The socket on which a client speaks for a callee. Source: docs/reference/telephony.md#simulator. */
import { type CallMedia, Ids, type MediaDoor, type SocketRoute } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import type { Phones } from "./Phones.ts"

/** In every state of the call, but for its end. */
export const audioRoute = (door: MediaDoor, media: CallMedia, phones: Phones): SocketRoute => ({
  path: "/api/v1/telephony/simulator/calls/:call_id/audio",
  accept: Effect.fnUntraced(function* (request) {
    const caller = yield* door.identify(request)
    if (caller._tag === "Refused") return caller
    const given = request.params.call_id?.toLowerCase() ?? ""
    const found = Ids.isUuid(given) ? yield* Effect.result(media.find(Ids.as(given))) : null
    if (found?._tag === "Failure") return door.refuse(503, "The storage is not available. Try again shortly.", request)
    const call = found?.success ?? null
    if (call === null || call.tenantId !== caller.tenantId || call.provider !== "simulator" || call.endedAt !== null)
      return door.refuse(404, "No such call is under way", request)
    return {
      _tag: "Accepted",
      protocol: caller.protocol,
      open: (connection) => phones.connect(call.id, connection),
      abandoned: () => undefined
    }
  })
})
