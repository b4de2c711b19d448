/** Passes sound on in real time, as a telephone line does: never faster than it is heard. */
import { Instant } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"

/** Mu-law at 8 kHz. */
export const bytesPerMs = 8
/** 20 ms. */
export const frameBytes = 160

/** A passing that is late by more than this goes on from now instead of catching up. */
const maxLateMs = 100

export interface PacerParts {
  readonly run: (effect: Effect.Effect<void>) => unknown
  /** How much sooner than it is heard sound may be passed on. */
  readonly aheadMs: number
  readonly play: (sound: Uint8Array) => void
  readonly marked: (name: string) => void
}

export interface Pacer {
  readonly write: (sound: Uint8Array) => void
  /** Comes back once the sound before it has been heard. */
  readonly mark: (name: string) => void
  /** Drops the sound that waits; marks come back. */
  readonly clear: () => void
  /** Milliseconds of sound that wait. */
  readonly waitingMs: () => number
}

type Item = { readonly mark: string } | { sound: Uint8Array }

/** Makes a pacer. Nothing runs while nothing waits. */
export const makePacer = ({ aheadMs, marked, play, run }: PacerParts): Pacer => {
  let queue: Array<Item> = []
  let isRunning = false
  /** When all sound that was passed on has been heard. */
  let heardUntil = 0

  /** Passes on the items that are due now. Returns when the next item is due; null when there is none. */
  const passOn = (now: number): number | null => {
    for (;;) {
      const [item] = queue
      if (item === undefined) return null
      const due = "mark" in item ? heardUntil : heardUntil - aheadMs
      if (now < due) return due
      if ("mark" in item) {
        queue.shift()
        marked(item.mark)
      } else {
        const frame = item.sound.subarray(0, frameBytes)
        if (frame.length < item.sound.length) item.sound = item.sound.subarray(frame.length)
        else queue.shift()
        heardUntil = (now - heardUntil > maxLateMs ? now : heardUntil) + frame.length / bytesPerMs
        play(frame)
      }
    }
  }

  const pass = Effect.gen(function* () {
    for (;;) {
      const now = yield* Instant.now
      const due = passOn(now)
      if (due === null) break
      yield* Effect.sleep(Math.max(1, Math.ceil(due - now)))
    }
    isRunning = false
  })

  const add = (item: Item) => {
    queue.push(item)
    if (isRunning) return
    isRunning = true
    run(pass)
  }

  return {
    write: (sound) => {
      if (sound.length > 0) add({ sound })
    },
    mark: (name) => add({ mark: name }),
    clear: () => {
      const marks = queue.flatMap((item) => ("mark" in item ? [item.mark] : []))
      queue = []
      // Not within the call that clears: its caller is not done with it.
      if (marks.length > 0) run(Effect.sync(() => marks.forEach(marked)))
    },
    waitingMs: () => queue.reduce((sum, item) => sum + ("sound" in item ? item.sound.length : 0), 0) / bytesPerMs
  }
}
