/** The sockets of the carrier, and who may open one for a caller of the API. */
import * as Effect from "effect/Effect"
import { Authentication, type NotAllowed, type NotIdentified } from "../../platform/accounts/index.ts"
import type { SocketRefused, SocketRequest, SocketRoute } from "../../platform/room/index.ts"
import { Carrier, type MediaDoor } from "./Carrier.ts"

/** Words before a credential, in `Authorization` and in `Sec-WebSocket-Protocol`, where browsers have no other place for one. */
const schemes = /^(?:token|bearer)$/i

/** The credential of a handshake, and the subprotocol that the answer names then. */
const credentialOf = ({ headers, protocols }: SocketRequest) => {
  const [scheme = "", credential = ""] = (headers.authorization ?? "").trim().split(/\s+/)
  if (schemes.test(scheme)) return { credential, protocol: null }
  const [word = "", secret = ""] = protocols
  return schemes.test(word) ? { credential: secret, protocol: word } : { credential: "", protocol: null }
}

const refuse = (status: number, detail: string, { requestId }: SocketRequest): SocketRefused => ({
  _tag: "Refused",
  status,
  headers: {
    "content-type": "application/json",
    "x-request-id": requestId,
    ...(status === 401 ? { "www-authenticate": "Bearer" } : {})
  },
  body: JSON.stringify({ detail })
})

const refusalOf = (error: NotIdentified | NotAllowed, request: SocketRequest) => {
  switch (error._tag) {
    case "Unauthenticated":
      return Effect.succeed(refuse(401, error.detail, request))
    case "NotAllowed":
      return Effect.succeed(refuse(403, error.detail, request))
    case "AccountMoved":
    case "CrossOrigin":
      return Effect.succeed(refuse(403, error.message, request))
    case "AccountMoving":
      return Effect.succeed(refuse(503, error.message, request))
    case "StorageError":
      return Effect.as(Effect.logError(error), refuse(503, "The storage is not available. Try again shortly.", request))
  }
}

/** Lets in who may place calls. */
const makeDoor = ({ admit, identify }: Authentication["Service"]): MediaDoor => ({
  identify: (request) => {
    const { credential, protocol } = credentialOf(request)
    // A browser has no other way to send a bearer than as a protocol.
    const headers = credential === "" ? request.headers : { ...request.headers, authorization: `Bearer ${credential}` }
    const asked = { method: "GET", url: request.path, headers, source: {} }
    return identify(credential, asked).pipe(
      Effect.tap((principal) => admit(principal, { scope: "calls:write", feature: null, manager: null })),
      Effect.map(({ tenantId }) => ({ _tag: "Known" as const, tenantId, protocol })),
      // No feature is asked for.
      Effect.catchTag("FeatureDisabled", Effect.die),
      Effect.catch((error) => refusalOf(error, request))
    )
  },
  refuse
})

/** The sockets of the carrier that is configured. */
export const carrierSockets = Effect.gen(function* (): Effect.fn.Return<
  ReadonlyArray<SocketRoute>,
  never,
  Authentication | Carrier
> {
  const { sockets } = yield* Carrier
  return sockets === undefined ? [] : sockets(makeDoor(yield* Authentication))
})
