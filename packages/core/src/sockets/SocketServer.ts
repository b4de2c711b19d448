/** Answers requests to open a socket: finds the route, asks it, and completes the handshake or refuses it. */
import * as Effect from "effect/Effect"
import { Ids } from "../kernel/index.ts"
import type { SocketAccepted, SocketRefused, SocketRoute } from "../room/index.ts"
import { OpenSockets } from "./OpenSockets.ts"
import {
  handshakeFault,
  headersOf,
  protocolsOf,
  responseText,
  type UpgradeOptions,
  type UpgradeRequest,
  type UpgradeSocket
} from "./Upgrade.ts"
import { completeHandshake } from "./WebSocketLibrary.ts"

/** Makes refusals that no route makes, in the envelope of the path. */
export type RefuseSocket = (refused: {
  readonly path: string
  readonly status: number
  readonly message: string
  readonly requestId: string
}) => SocketRefused

export interface FoundSocketRoute {
  readonly route: SocketRoute
  readonly params: Readonly<Record<string, string>>
}

const pathOf = (target: string): string => target.split("?", 1)[0] ?? ""

const decoded = (segment: string): string | null => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}

/** Finds the route of a path: a parameter is one segment that is not empty. */
export const socketRoutes = (routes: ReadonlyArray<SocketRoute>): ((path: string) => FoundSocketRoute | null) => {
  const known = routes.map((route) => ({ route, segments: route.path.split("/") }))
  return (path) => {
    const given = path.split("/")
    for (const { route, segments } of known) {
      if (segments.length !== given.length) continue
      const params: Record<string, string> = {}
      const isMatch = segments.every((segment, at) => {
        const value = decoded(given[at] ?? "")
        if (!segment.startsWith(":")) return segment === given[at]
        if (value === null || value === "") return false
        params[segment.slice(1)] = value
        return true
      })
      if (isMatch) return { route, params }
    }
    return null
  }
}

export interface Upgrade {
  readonly request: UpgradeRequest
  readonly socket: UpgradeSocket
  readonly head: Uint8Array
  readonly options: UpgradeOptions
}

/** Opens a socket on a route that was found, or answers why not. It has no error: what is wrong is an answer. */
export const openSocket = Effect.fnUntraced(function* (
  { route, params }: FoundSocketRoute,
  { head, options, request, socket }: Upgrade,
  refuse: RefuseSocket
) {
  const sockets = yield* OpenSockets
  const headers = headersOf(request)
  const path = pathOf(options.path ?? request.url ?? "")
  const requestId = (yield* Ids.source)()
  const refused = (status: number, message: string, more: Readonly<Record<string, string>> = {}) => {
    const answer = refuse({ path, status, message, requestId })
    return { ...answer, headers: { ...answer.headers, ...more } }
  }
  const answer = (response: SocketRefused) => void socket.end(responseText(response))

  if (request.method !== "GET") return answer(refused(405, "This path has GET alone.", { allow: "GET" }))
  const fault = handshakeFault(request.method, headers)
  if (fault !== null) return answer(refused(426, `${fault} Open a WebSocket here.`, { upgrade: "websocket" }))
  if (sockets.isStopping()) return answer(refused(503, "The service is shutting down. Try again shortly."))

  const clientAddress = options.clientAddress ?? request.socket?.remoteAddress ?? null
  const asked = { path, params, headers, protocols: protocolsOf(headers), clientAddress, requestId }
  const accepted: SocketAccepted | SocketRefused = yield* Effect.catchCause(route.accept(asked), (cause) =>
    Effect.as(
      Effect.logError("a socket could not be opened", cause),
      refused(500, "Something went wrong on our side. It has been logged under this answer's X-Request-Id.")
    )
  )
  if (accepted._tag === "Refused") return answer(accepted)
  yield* complete(accepted, { head, options, request, socket }, sockets)
})

/** Completes the handshake, unless the client has gone meanwhile. */
const complete = (accepted: SocketAccepted, { head, request, socket }: Upgrade, sockets: OpenSockets["Service"]) =>
  Effect.promise(async () => {
    let isOpen = false
    if (!socket.destroyed) {
      await completeHandshake([request, socket, head], accepted.protocol, (opened) => {
        isOpen = true
        sockets.add(opened, accepted.open)
      })
    }
    if (!isOpen) accepted.abandoned()
  })
