/**
 * Decides how a WebSocket is opened, bounded and closed, whatever is said on it.
 *
 * Promises  SOCK-1 a handshake is answered by the route's own refusal, or opens exactly one connection; foreign paths are untouched.
 *           SOCK-2 a message of more than 1 MiB, or a text of more than 256 KiB, closes with 1009; a malformed frame with 1002 or 1007.
 *           SOCK-3 a client with more than 1 MiB unsent, or without a pong for 30 seconds, is cut off, and no other connection notices.
 *           SOCK-4 a listener hears of the end once, and nothing after it; what it throws ends its own connection alone.
 *           SOCK-5 compression and subprotocols that a route does not name are not negotiated.
 *           SOCK-6 a stop refuses new sockets, gives what is under way 8 seconds, and then closes with 1001.
 *           SOCK-7 no process has more sockets than its maximum, handshakes that wait for their route included.
 * Needs     nothing.                             Emits  nothing.
 * Not here  what a route is (platform/room), what is said (voice/socket, packages/providers), the HTTP server (packages/node, adapters).
 * Read      UpgradeHttp.ts, then OpenSockets.ts. Source: docs/reference/embedding.md#sockets.
 */

export type {
  SocketAccepted,
  SocketConnection,
  SocketListener,
  SocketRefused,
  SocketRequest,
  SocketRoute
} from "../room/index.ts"
export { OpenSockets, SocketLimit, standardSockets } from "./OpenSockets.ts"
export { type SocketRoutes, socketRoutes } from "./SocketRoutes.ts"
export { targetBelow, type UpgradeOptions, type UpgradeRequest, type UpgradeSocket } from "./Upgrade.ts"
export { openSocket, refusedWith, type UpgradeEdge } from "./UpgradeHttp.ts"
