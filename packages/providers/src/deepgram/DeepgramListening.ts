/** Hears the utterances of a session on one connection, which is made again when it breaks. Source: docs/reference/upstreams.md#listening. */
import type { ListenConnection, Listening, ListenOptions, LiveSound, UpstreamFailed } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { Agent } from "undici"
import { connector } from "../http/index.ts"
import { isFlux, listenPath } from "./DeepgramListen.ts"
import { ListenSocket, type SocketTimes, socketTimes } from "./ListenSocket.ts"

export interface ListeningOptions {
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
  readonly times?: SocketTimes
}

export const makeListening = ({ baseUrl, headers, times = socketTimes }: ListeningOptions): Listening => {
  const dispatcher = new Agent({ allowH2: false, connect: connector({ timeout: times.openMs }) })

  const connect = (options: ListenOptions) =>
    new ListenSocket({
      ...{ headers, dispatcher, times, isTurns: isFlux(options.model) },
      url: baseUrl.replace(/^http/i, "ws") + listenPath(options)
    })

  const open = (options: ListenOptions) =>
    Effect.gen(function* () {
      const oneAtATime = Semaphore.makeUnsafe(1)
      let socket: ListenSocket | null = null
      yield* Effect.addFinalizer(() => Effect.sync(() => socket?.close()))

      const once = (sound: LiveSound): Effect.Effect<string, UpstreamFailed> =>
        Effect.callback((resume) => {
          if (socket === null || socket.isClosed) socket = connect(options)
          const stop = socket.hear(sound, (result) =>
            resume(typeof result === "string" ? Effect.succeed(result) : Effect.fail(result))
          )
          return Effect.sync(stop)
        })

      const hear = (sound: LiveSound) =>
        Effect.map(Effect.retry(once(sound), { times: 1 }), (text) => ({ text, seconds: null, segments: [] }))

      return { hear: (sound) => oneAtATime.withPermits(1)(hear(sound)) } satisfies ListenConnection
    })

  return { decidesTurns: isFlux, open }
}
