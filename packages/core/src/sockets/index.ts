/**
 * Decides how a WebSocket is opened, bounded and closed, whatever is said on it.
 *
 * Promises  SOCK-1 a handshake is answered by the route's own refusal, or opens exactly one connection; foreign paths are untouched.
 *           SOCK-2 a message of more than 1 MiB, or a text of more than 256 KiB, closes with 1009; a malformed frame with 1002 or 1007.
 *           SOCK-3 a client with more than 1 MiB unsent, or without a pong for 30 seconds, is cut off, and no other connection notices.
 *           SOCK-4 a listener hears of the end once, and nothing after it.
 *           SOCK-5 compression and subprotocols that a route does not name are not negotiated.
 * Needs     nothing.                             Emits  nothing.
 * Not here  what is said (agent-socket, packages/providers), the HTTP server (packages/node, adapters).
 * Read      Socket.ts. Source: docs/embedding.md#sockets.
 */

export type {
  SocketAccepted,
  SocketConnection,
  SocketListener,
  SocketRefused,
  SocketRequest,
  SocketRoute
} from "../room/index.ts"
export { OpenSockets } from "./OpenSockets.ts"
export { refusedWith } from "./Refusal.ts"
export { openSocket, type RefuseSocket, socketRoutes } from "./SocketServer.ts"
export { Room } from "./SocketsRoom.ts"
export type { UpgradeOptions, UpgradeRequest, UpgradeSocket } from "./Upgrade.ts"
