/** A network's end of a line: it plays what it is sent, frame by frame in real time, and knows marks in between. */
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import { joined } from "./HeardLine.ts"

const frameBytes = 160
const frameMs = 20

export type Queued = { readonly mark: string } | { readonly frame: Uint8Array }

export interface FakePlayer {
  readonly add: (item: Queued) => void
  /** Drops what was not played, and returns the marks in it. */
  readonly flush: () => ReadonlyArray<string>
  readonly heard: () => Uint8Array
  /** Frames that wait. */
  readonly waiting: () => number
}

/** Sound as frames of 20 ms. */
export const framesOf = (sound: Uint8Array): ReadonlyArray<Uint8Array> =>
  Array.from({ length: Math.ceil(sound.length / frameBytes) }, (_, at) =>
    sound.slice(at * frameBytes, (at + 1) * frameBytes)
  )

export const makeFakePlayer = (options: {
  readonly marked: (name: string) => void
  /** Called after each frame. */
  readonly played?: () => void
}): Effect.Effect<FakePlayer, never, Scope.Scope> =>
  Effect.gen(function* () {
    let waiting: Array<Queued> = []
    const heard: Array<Uint8Array> = []
    const signal = yield* Queue.unbounded<void>()
    const play = Effect.gen(function* () {
      yield* Queue.take(signal)
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
        if ("mark" in item) options.marked(item.mark)
        else {
          heard.push(item.frame)
          yield* Effect.sleep(frameMs)
          options.played?.()
        }
      }
    })
    yield* Effect.forkScoped(Effect.forever(play))
    return {
      add: (item) => {
        waiting.push(item)
        Queue.offerUnsafe(signal, undefined)
      },
      flush: () => {
        const marks = waiting.flatMap((item) => ("mark" in item ? [item.mark] : []))
        waiting = []
        return marks
      },
      heard: () => joined(heard),
      waiting: () => waiting.filter((item) => "frame" in item).length
    }
  })
