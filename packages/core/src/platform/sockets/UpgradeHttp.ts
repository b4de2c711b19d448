/** Answers requests to open a socket: asks the route, and completes the handshake or refuses it. */
import * as Effect from "effect/Effect"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type AddressLimit, type EdgeAnswers, requestIdAnnotation, requestIdOf } from "../http/index.ts"
import { Ids, Instant } from "../kernel/index.ts"
import type { SocketAccepted, SocketRefused, SocketRequest } from "../room/index.ts"
import { OpenSockets } from "./OpenSockets.ts"
import type { FoundSocketRoute } from "./SocketRoutes.ts"
import {
  headersOf,
  isWellFormed,
  otherProtocol,
  protocolsOf,
  type UpgradeRequest,
  type UpgradeSocket
} from "./Upgrade.ts"
import { type CompleteHandshake, loadLibrary } from "./WebSocketLibrary.ts"

/** What surrounds every socket, as it surrounds every route. */
export interface UpgradeEdge {
  readonly answers: EdgeAnswers
  /** Rate limit of client addresses; null for none. */
  readonly limit: AddressLimit | null
}

export interface Upgrade {
  readonly request: UpgradeRequest
  readonly socket: UpgradeSocket
  readonly head: Uint8Array
  /** Below the mount point, without the query. */
  readonly path: string
  readonly clientAddress: string | undefined
}

/** Opens a socket on a route that was found, or answers why not. It has no error: a refusal is an answer. */
export const openSocket = Effect.fnUntraced(function* (found: FoundSocketRoute, upgrade: Upgrade, edge: UpgradeEdge) {
  const sockets = yield* OpenSockets
  const ids = yield* Ids.IdSource
  const at = yield* Instant.now
  const request = requestOf(found, upgrade, (headers) => requestIdOf(headers) ?? ids.next(at))
  const refused = (status: number, headers?: Readonly<Record<string, string>>) =>
    refusedWith(edge.answers(status, request, headers), request.requestId)
  const atOnce = refusalOf(found, upgrade, request, {
    edge,
    at,
    isStopping: sockets.isStopping(),
    isFull: sockets.isFull()
  })
  if (atOnce !== null) return yield* answer(upgrade.socket, refused(...atOnce))

  // What was accepted is opened or abandoned, also at a stop.
  yield* Effect.uninterruptible(
    Effect.flatMap(sockets.opening(asked(found, request)), ({ complete, result }) => {
      if (result._tag === "Failed") return answer(upgrade.socket, refused(500))
      if (result._tag === "Refused") {
        // A handshake of a carrier counts where it is refused.
        const wait = found.route.isCallback === true ? waitOf(edge, request.clientAddress, at) : null
        return answer(upgrade.socket, wait === null ? result : refused(429, { "retry-after": String(wait) }))
      }
      if (sockets.isStopping()) {
        result.abandoned()
        return answer(upgrade.socket, refused(503))
      }
      return Effect.sync(() => opened(upgrade, result, complete, sockets))
    })
  ).pipe(Effect.annotateLogs(requestIdAnnotation, request.requestId))
})

const requestOf = (
  { params }: FoundSocketRoute,
  { clientAddress, path, request }: Upgrade,
  requestId: (headers: SocketRequest["headers"]) => string
): SocketRequest => {
  const headers = headersOf(request)
  return {
    path,
    params,
    headers,
    protocols: protocolsOf(headers) ?? [],
    clientAddress: clientAddress ?? request.socket?.remoteAddress ?? null,
    requestId: requestId(headers)
  }
}

type Refusal = readonly [status: number, headers?: Readonly<Record<string, string>>]

/** Why a handshake is refused before its route is asked: its method, the rate of its address, its form, a stop. */
const refusalOf = (
  { route }: FoundSocketRoute,
  upgrade: Upgrade,
  { clientAddress, headers }: SocketRequest,
  now: {
    readonly edge: UpgradeEdge
    readonly at: Instant.Instant
    readonly isStopping: boolean
    readonly isFull: boolean
  }
): Refusal | null => {
  if (upgrade.request.method !== "GET") return [405, { allow: "GET" }]
  const wait = route.isCallback === true ? null : waitOf(now.edge, clientAddress, now.at)
  if (wait !== null) return [429, { "retry-after": String(wait) }]
  const needed = otherProtocol(headers)
  if (needed !== null) return [426, needed]
  if (!isWellFormed(headers)) return [400]
  if (now.isStopping) return [503]
  return now.isFull ? [503, { "retry-after": "1" }] : null
}

/** Counts a handshake as a request of its address: the seconds until there is room for one, or null. */
const waitOf = ({ limit }: UpgradeEdge, address: string | null, at: Instant.Instant): number | null =>
  limit === null ? null : limit.acquire(address ?? "unknown", at)

/** Asks the route. What it dies of is logged, and answered as on every route. */
const asked = (
  { route }: FoundSocketRoute,
  request: SocketRequest
): Effect.Effect<{
  readonly complete: CompleteHandshake
  readonly result: SocketAccepted | SocketRefused | { readonly _tag: "Failed" }
}> =>
  Effect.flatMap(Effect.promise(loadLibrary), (complete) =>
    Effect.map(
      Effect.catchCause(route.accept(request), (cause) =>
        Effect.as(Effect.logError("a socket could not be opened", cause), { _tag: "Failed" } as const)
      ),
      (result) => ({ complete, result })
    )
  )

/** Completes the handshake, unless the client has gone meanwhile. */
const opened = (
  upgrade: Upgrade,
  { abandoned, open, protocol }: SocketAccepted,
  complete: CompleteHandshake,
  sockets: OpenSockets["Service"]
): void => {
  let isOpen = false
  if (!upgrade.socket.destroyed) {
    complete(upgrade, protocol, (socket) => {
      isOpen = true
      sockets.add(socket, open)
    })
  }
  if (!isOpen) abandoned()
}

const decoder = new TextDecoder()

/** A response of the HTTP edge, whose body stands in memory, as the refusal of a handshake. */
export const refusedWith = (
  { body, headers, status }: HttpServerResponse.HttpServerResponse,
  requestId: string
): SocketRefused => ({
  _tag: "Refused",
  status,
  headers: {
    ...headers,
    ...(body._tag === "Uint8Array" ? { "content-type": body.contentType } : {}),
    ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
    "x-request-id": requestId
  },
  body: body._tag === "Uint8Array" ? decoder.decode(body.body) : ""
})

const reasons: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  426: "Upgrade Required",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable"
}

const encoder = new TextEncoder()

/** A response over HTTP/1.1, after which the connection ends. */
const textOf = ({ body, headers, status }: SocketRefused): string =>
  [
    `HTTP/1.1 ${status} ${reasons[status] ?? ""}`,
    ...Object.entries({ ...headers, "content-length": encoder.encode(body).length, connection: "close" }).map(
      ([name, value]) => `${name}: ${String(value).replace(/[\r\n]+/g, " ")}`
    ),
    "",
    body
  ].join("\r\n")

/** A client that is still sending gets its answer all the same: the connection ends with it, or after this time. */
const endMs = 5 * Instant.second

const answer = (socket: UpgradeSocket, refused: SocketRefused): Effect.Effect<void> => {
  const ended = Effect.callback<void>((resume) => {
    socket.once("close", () => resume(Effect.void))
    socket.resume()
    socket.end(textOf(refused))
  })
  return Effect.suspend(() => (socket.destroyed ? Effect.void : Effect.timeoutOption(ended, endMs))).pipe(
    Effect.interruptible,
    Effect.ensuring(Effect.sync(() => socket.destroy())),
    Effect.asVoid
  )
}
