/// <reference types="node" preserve="true" />
/**
 * Requests to open a WebSocket go through Fastify's router as all requests do, so that the host's hooks run and its trust in
 * proxies applies. Sockets that are not the product's are left as they were without it.
 */
import { type IncomingMessage, type Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import type { FastifyInstance } from "fastify"

/** Opens the socket of a request. */
export type Open = (socket: Duplex, head: Buffer) => void

/** The product where it is mounted. */
export interface Mount {
  readonly app: FastifyInstance
  /** Whether a target is one of its sockets. */
  readonly isSocket: (target: string) => boolean
  /** Answers without the router, which refuses everything by itself once the server is closing. */
  readonly refuse: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  readonly isClosing: () => boolean
}

interface Upgrade {
  readonly socket: Duplex
  readonly head: Buffer
  isPassed: boolean
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>()

/** The products of a server. */
const mounts = new WeakMap<Server, Array<Mount>>()

/** Serves the sockets of a mount. */
export const serveUpgrades = (mount: Mount): void => {
  const { server } = mount.app
  const known = mounts.get(server)
  if (known === undefined) listen(server, mount)
  else known.push(mount)
}

/** True of a request that opens a socket: `open` has it then, once. */
export const passUpgrade = (request: IncomingMessage, response: ServerResponse, open: Open): boolean => {
  const upgrade = upgrades.get(request)
  if (upgrade === undefined) return false
  // Another listener of the host may have sent it through the router as well.
  if (!upgrade.isPassed) {
    upgrade.isPassed = true
    if (response.socket === upgrade.socket) response.detachSocket(response.socket)
    open(upgrade.socket, upgrade.head)
  }
  return true
}

const listen = (server: Server, first: Mount): void => {
  const all = [first]
  mounts.set(server, all)
  const mountOf = (request: IncomingMessage): Mount | undefined =>
    request.headers.upgrade?.toLowerCase() === "websocket"
      ? all.find(({ isSocket }) => isSocket(request.url ?? ""))
      : undefined

  const listener = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const mount = mountOf(request)
    if (mount?.isClosing() === true) {
      mount.refuse(request, socket, head)
      return
    }
    if (mount !== undefined) upgrades.set(request, { socket, head, isPassed: false })
    else if (server.listenerCount("upgrade") > 1) return
    route((mount ?? first).app, request, socket)
  }
  // Before others, so that a request that is ours is known as such wherever it goes.
  server.prependListener("upgrade", listener)
  answerOthers(server, (request) => mountOf(request) !== undefined)
}

/** Without a listener for upgrades Node serves a request that offers one as any other request: some clients offer it with each. */
const answerOthers = (server: Server, isOurs: (request: IncomingMessage) => boolean): void => {
  const decided = server as Server & { shouldUpgradeCallback?: (request: IncomingMessage) => boolean }
  const before = decided.shouldUpgradeCallback
  // Before Node 22.21 there is none: such a request is answered, without its body.
  if (before === undefined) return
  decided.shouldUpgradeCallback = (request) =>
    isOurs(request) || (server.listenerCount("upgrade") > 1 && before.call(server, request))
}

const route = (app: FastifyInstance, request: IncomingMessage, socket: Duplex): void => {
  const response = new ServerResponse(request)
  socket.on("error", () => socket.destroy())
  response.assignSocket(socket as Socket)
  // A hook of the host has answered, or nobody has this path.
  response.once("finish", () => socket.end())
  app.routing(request, response)
}
