/** One product behind one host, with sockets that do what a test asks of them. */
import {
  createTrunkline,
  type LogEntry,
  type StorageProvider,
  type Trunkline,
  type TrunklineOptions
} from "@trunkline/core"
import {
  Carrier,
  type SocketConnection,
  type SocketListener,
  type SocketRoute,
  telephonyProvider
} from "@trunkline/core/provider"
import type { SocketRequest } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { FakeNetwork, fakeCarrier } from "../FakeCarrier.ts"
import type { Served, ServeOptions, Start } from "./HttpWorld.ts"
import { type Handshake, SocketClient } from "./SocketClient.ts"

/** The path of the sockets below the mount point; what follows says what they do. */
export const sockets = "/v1/test-sockets"

export interface SocketWorld {
  readonly core: Trunkline
  readonly served: Served
  readonly log: ReadonlyArray<LogEntry>
  /** Handshakes that a route was asked about. */
  readonly requests: ReadonlyArray<SocketRequest>
  /** What listeners have heard, and the ends of handshakes. */
  readonly heard: ReadonlyArray<string>
  /** Sockets as the product sees them, in the order of their opening. */
  readonly connections: ReadonlyArray<SocketConnection>
  /** Lets a handshake of the socket `slow` go on. */
  readonly letGo: () => void
  /** Opens a socket below the mount point. */
  readonly open: (what: string, handshake?: Handshake) => SocketClient
  /** Waits until listeners have heard this. */
  readonly hears: (what: string) => Promise<void>
  readonly close: () => Promise<void>
}

/** Sockets of a carrier, which needs nothing else for them. */
class Route implements SocketRoute {
  readonly path = `${sockets}/:what`
  readonly requests: Array<SocketRequest> = []
  readonly connections: Array<SocketConnection> = []
  readonly heard: Array<string> = []
  readonly #waiting = new Set<() => void>()
  #letGo: () => void = () => undefined
  readonly slow = new Promise<void>((resolve) => {
    this.#letGo = resolve
  })

  readonly letGo = (): void => this.#letGo()

  readonly accept: SocketRoute["accept"] = (request) => {
    this.requests.push(request)
    const { what } = request.params
    if (what === "refuse") {
      const headers = { "content-type": "application/json", "x-why": "because" }
      return Effect.succeed({ _tag: "Refused", status: 403, headers, body: '{"error":"refused"}' })
    }
    if (what === "die") return Effect.die(new Error("a fault of ours"))
    const accepted = {
      _tag: "Accepted",
      protocol: what === "protocol" ? (request.protocols[0] ?? null) : null,
      open: (connection: SocketConnection) => this.#listener(connection),
      abandoned: () => this.#hear("abandoned")
    } as const
    return what === "slow"
      ? Effect.as(
          Effect.promise(() => this.slow),
          accepted
        )
      : Effect.succeed(accepted)
  }

  async hears(what: string): Promise<void> {
    while (!this.heard.includes(what)) {
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve)
      })
    }
  }

  #hear(what: string): void {
    this.heard.push(what)
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const resolve of waiting) resolve()
  }

  #listener(connection: SocketConnection): SocketListener {
    this.connections.push(connection)
    this.#hear("opened")
    return {
      text: (text) => {
        this.#hear(`text ${text.length}`)
        if (text === "throw") throw new Error("a fault of a listener")
        if (text.startsWith("close ")) connection.close(Number(text.slice(6)), "as asked")
        connection.send(text)
      },
      bytes: (bytes) => {
        this.#hear(`bytes ${bytes.length}`)
        connection.send(bytes)
      },
      closed: (code) => this.#hear(`closed ${code}`),
      goingAway: () => this.#hear("going away")
    }
  }
}

export const openSocketWorld = async (
  start: Start,
  storage: () => StorageProvider,
  { core: settings, serve = {} }: { readonly serve?: ServeOptions; readonly core?: Partial<TrunklineOptions> } = {}
): Promise<SocketWorld> => {
  const route = new Route()
  const log: Array<LogEntry> = []
  const carrier = Layer.succeed(Carrier, { ...fakeCarrier(new FakeNetwork()), sockets: () => [route] })
  const core = await createTrunkline({
    storage: storage(),
    telephony: telephonyProvider(carrier),
    encryptionKey: "a key for the secrets of this test",
    log: (entry) => log.push(entry),
    ...settings
  })
  const served = await start(core, serve)
  const clients: Array<SocketClient> = []
  return {
    core,
    served,
    log,
    requests: route.requests,
    heard: route.heard,
    connections: route.connections,
    letGo: route.letGo,
    hears: (what) => route.hears(what),
    open: (what, handshake) => {
      const opened = new SocketClient(served.origin, `${serve.prefix ?? ""}${sockets}/${what}`, handshake)
      clients.push(opened)
      return opened
    },
    close: async () => {
      for (const { tcp } of clients) tcp.destroy()
      await Promise.all([served.close(), core.closeSockets()])
      await core.stop()
    }
  }
}
