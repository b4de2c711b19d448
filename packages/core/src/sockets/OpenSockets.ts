/** The sockets that are open in this process: their bounds, their signs of life, and how they end at a stop. */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Instant } from "../kernel/index.ts"
import type { SocketConnection, SocketListener } from "../room/index.ts"
import type { WebSocketLike } from "./WebSocketLibrary.ts"

const pingEveryMs = 10 * Instant.second
/** Rounds of pings without a pong after which a client has gone. */
const maxSilentPings = 3
const maxUnsentBytes = 1024 * 1024
const maxTextBytes = 256 * 1024

const decoder = new TextDecoder()

/** One socket. Its listener hears of everything until the first end. */
class OpenSocket implements SocketConnection {
  readonly #socket: WebSocketLike
  readonly #onClosed: () => void
  #listener: SocketListener | null = null
  #silentPings = 0
  #isEnding = false

  constructor(socket: WebSocketLike, onClosed: (socket: OpenSocket) => void) {
    this.#socket = socket
    this.#onClosed = () => onClosed(this)
    socket.on("message", (data, isBinary) => this.#message(data, isBinary))
    socket.on("pong", () => {
      this.#silentPings = 0
    })
    // What is malformed closes the socket with a code of its own.
    socket.on("error", () => undefined)
    socket.on("close", (code) => this.#closed(code))
  }

  listen(listener: SocketListener): void {
    this.#listener = listener
  }

  readonly send = (message: string | Uint8Array): void => {
    if (this.#isEnding) return
    this.#socket.send(message, { compress: false }, () => undefined)
    if (this.#socket.bufferedAmount > maxUnsentBytes) this.terminate()
  }

  readonly unsentBytes = (): number => this.#socket.bufferedAmount

  readonly close = (code: number, reason: string): void => {
    if (this.#isEnding) return
    this.#isEnding = true
    this.#socket.close(code, reason)
  }

  readonly terminate = (): void => {
    this.#isEnding = true
    this.#socket.terminate()
  }

  ping(): void {
    this.#silentPings += 1
    if (this.#silentPings > maxSilentPings || this.#socket.bufferedAmount > maxUnsentBytes) this.terminate()
    else this.#socket.ping()
  }

  goingAway(): void {
    this.#listener?.goingAway()
  }

  #message(data: Uint8Array, isBinary: boolean): void {
    // A message is a sign of life as well, of a client that is slow to answer pings.
    this.#silentPings = 0
    if (this.#isEnding) return
    if (isBinary) this.#listener?.bytes(data)
    else if (data.length > maxTextBytes) this.close(1009, "message too big")
    else this.#listener?.text(decoder.decode(data))
  }

  #closed(code: number): void {
    this.#isEnding = true
    const listener = this.#listener
    this.#listener = null
    this.#onClosed()
    listener?.closed(code)
  }
}

export class OpenSockets extends Context.Service<
  OpenSockets,
  {
    /** Makes a socket that has been opened known, and connects it with its listener. */
    readonly add: (socket: WebSocketLike, open: (connection: SocketConnection) => SocketListener) => void
    readonly isStopping: () => boolean
    /** Refuses new sockets, and completes when none is open. */
    readonly drained: Effect.Effect<void>
    /** Closes all that are open. */
    readonly closeAll: Effect.Effect<void>
    /** New sockets are accepted again. */
    readonly resume: Effect.Effect<void>
    readonly count: () => number
  }
>()("@trunkline/core/sockets/OpenSockets") {
  static readonly layer = Layer.effect(
    OpenSockets,
    Effect.gen(function* () {
      const sockets = new Set<OpenSocket>()
      let stopping: Deferred.Deferred<void> | null = null

      const ping = Effect.sync(() => {
        for (const socket of sockets) socket.ping()
      })
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(pingEveryMs), ping)))

      const add: OpenSockets["Service"]["add"] = (socket, open) => {
        const opened = new OpenSocket(socket, (closed) => {
          sockets.delete(closed)
          if (sockets.size === 0 && stopping !== null) Deferred.doneUnsafe(stopping, Effect.void)
        })
        sockets.add(opened)
        opened.listen(open(opened))
        if (stopping !== null) opened.goingAway()
      }

      const drained = Effect.suspend(() => {
        stopping ??= Deferred.makeUnsafe<void>()
        for (const socket of sockets) socket.goingAway()
        return sockets.size === 0 ? Effect.void : Deferred.await(stopping)
      })

      return OpenSockets.of({
        add,
        isStopping: () => stopping !== null,
        drained,
        closeAll: Effect.sync(() => {
          for (const socket of sockets) socket.close(1001, "SERVER_GOING_AWAY")
        }),
        resume: Effect.sync(() => {
          stopping = null
        }),
        count: () => sockets.size
      })
    })
  )
}
