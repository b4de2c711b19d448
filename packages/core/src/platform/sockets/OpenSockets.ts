/** The sockets that are open in this process: their bounds, their signs of life, and how they end at a stop. */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { guarded, Instant } from "../kernel/index.ts"
import type { SocketConnection, SocketListener } from "../room/index.ts"
import type { WebSocketLike } from "./WebSocketLibrary.ts"

const pingEveryMs = 10 * Instant.second
/** Pings without a pong after which a client has gone. */
const maxUnansweredPings = 3
const maxUnsentBytes = 1024 * 1024
const maxTextBytes = 256 * 1024

/** What listeners have under way may end in this time after a stop has begun. */
const drainMs = 8 * Instant.second
/** Clients may answer a close for this time, and are cut off then. */
const closeMs = Instant.second

const codes = { goingAway: 1001, tooBig: 1009, fault: 1011 } as const

const decoder = new TextDecoder()

const ignore = (): void => undefined

type Open = (connection: SocketConnection) => SocketListener

/** What a socket reports to those that count it. */
interface Watcher {
  readonly ended: (socket: OpenSocket) => void
  /** A listener has thrown: a fault of ours. */
  readonly failed: (fault: unknown) => void
}

/** One socket. Its listener hears of everything until the first end. */
class OpenSocket implements SocketConnection {
  readonly #socket: WebSocketLike
  readonly #watcher: Watcher
  #listener: SocketListener | null = null
  #unansweredPings = 0
  #isEnding = false

  constructor(socket: WebSocketLike, watcher: Watcher) {
    this.#socket = socket
    this.#watcher = watcher
    socket.on("message", (data, isBinary) => this.#message(data, isBinary))
    socket.on("pong", () => {
      this.#unansweredPings = 0
    })
    // A malformed frame closes the socket with a code of its own.
    socket.on("error", ignore)
    socket.on("close", (code) => this.#closed(code))
  }

  open(open: Open): void {
    this.#guarded(() => {
      this.#listener = open(this)
    })
  }

  readonly send = (message: string | Uint8Array): void => {
    if (this.#isEnding) return
    this.#socket.send(message, { compress: false }, ignore)
    this.#boundUnsent()
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
    this.#unansweredPings += 1
    if (this.#unansweredPings > maxUnansweredPings) this.terminate()
    else this.#socket.ping()
    this.#boundUnsent()
  }

  goingAway(): void {
    this.#guarded(() => this.#listener?.goingAway())
  }

  #boundUnsent(): void {
    if (this.#socket.bufferedAmount > maxUnsentBytes) this.terminate()
  }

  #message(data: Uint8Array, isBinary: boolean): void {
    if (this.#isEnding) return
    if (isBinary) this.#guarded(() => this.#listener?.bytes(data))
    else if (data.length > maxTextBytes) this.close(codes.tooBig, "a text is longer than 256 KiB")
    else this.#guarded(() => this.#listener?.text(decoder.decode(data)))
  }

  #closed(code: number): void {
    this.#isEnding = true
    const listener = this.#listener
    this.#listener = null
    this.#guarded(() => listener?.closed(code))
    this.#watcher.ended(this)
  }

  /** What a listener throws would end the process, and every other connection with it. */
  #guarded(run: () => void): void {
    guarded(run, (fault) => {
      this.#watcher.failed(fault)
      this.close(codes.fault, "internal error")
    })()
  }
}

/** Sockets of this process at a time; null for no limit. Source: docs/reference/plans.md#strangers. */
export const SocketLimit = Context.Reference<number | null>("@trunkline/core/platform/sockets/SocketLimit", {
  defaultValue: () => standardSockets
})

export const standardSockets = 2000

export class OpenSockets extends Context.Service<
  OpenSockets,
  {
    /** Connects a socket that has been opened with its listener. */
    readonly add: (socket: WebSocketLike, open: Open) => void
    /** True while as many are open, or being opened, as may be: new sockets are refused. */
    readonly isFull: () => boolean
    /**
     * Counts a socket while its route is asked. A socket that is refused then is counted no longer, however slowly its client reads that.
     */
    readonly opening: <A, E, R>(question: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** True from the beginning of a drain on: new sockets are refused. */
    readonly isStopping: () => boolean
    /**
     * Shows every listener that the process stops, waits up to 8 s until all have ended, and closes what is open then. It completes
     * when none is open, and may run more than once at a time.
     */
    readonly drain: Effect.Effect<void>
    /** New sockets are accepted again. */
    readonly resume: Effect.Effect<void>
    readonly count: () => number
  }
>()("@trunkline/core/platform/sockets/OpenSockets") {
  static readonly layer = Layer.effect(
    OpenSockets,
    Effect.gen(function* () {
      const max = (yield* SocketLimit) ?? Number.POSITIVE_INFINITY
      const sockets = new Set<OpenSocket>()
      let opening = 0
      const runFork = Effect.runForkWith(yield* Effect.context<never>())
      let stopping: Deferred.Deferred<void> | null = null

      const forEach = (run: (socket: OpenSocket) => void) =>
        Effect.sync(() => {
          for (const socket of [...sockets]) run(socket)
        })
      let isPinging = false
      // Nothing is awake while no socket is open.
      const pinging = Effect.gen(function* () {
        while (sockets.size > 0) {
          yield* Effect.sleep(pingEveryMs)
          yield* forEach((socket) => socket.ping())
        }
        isPinging = false
      })
      const scope = yield* Effect.scope
      /** Two loops would ping twice as often, and sooner count a client that answers as gone. */
      const startPinging = () => {
        if (isPinging) return
        isPinging = true
        runFork(Effect.forkIn(pinging, scope))
      }

      const watcher: Watcher = {
        ended: (socket) => {
          sockets.delete(socket)
          if (sockets.size === 0 && stopping !== null) Deferred.doneUnsafe(stopping, Effect.void)
        },
        failed: (fault) => void runFork(Effect.logError("a socket was closed by a fault of ours", fault))
      }

      const drain = Effect.gen(function* () {
        if (stopping === null) {
          stopping = Deferred.makeUnsafe<void>()
          yield* forEach((socket) => socket.goingAway())
        }
        if (sockets.size === 0) return
        const ended = Deferred.await(stopping)
        yield* Effect.timeoutOption(ended, drainMs)
        yield* forEach((socket) => socket.close(codes.goingAway, "SERVER_GOING_AWAY"))
        if (sockets.size > 0) yield* Effect.timeoutOption(ended, closeMs)
        yield* forEach((socket) => socket.terminate())
        if (sockets.size > 0) yield* ended
      })

      return OpenSockets.of({
        add: (socket, open) => {
          const opened = new OpenSocket(socket, watcher)
          sockets.add(opened)
          startPinging()
          opened.open(open)
        },
        isFull: () => sockets.size + opening >= max,
        opening: (question) =>
          Effect.suspend(() => {
            opening += 1
            return Effect.ensuring(
              question,
              Effect.sync(() => {
                opening -= 1
              })
            )
          }),
        isStopping: () => stopping !== null,
        drain,
        resume: Effect.sync(() => {
          stopping = null
        }),
        count: () => sockets.size
      })
    })
  )
}
