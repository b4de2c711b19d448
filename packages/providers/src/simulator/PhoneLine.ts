/** The sound between an agent and a simulated callee: real time both ways, and silence where nobody speaks. */
import { Instant, type MediaLine, type MediaListener, telephoneFormat } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import { bytesPerMs, frameBytes, makePacer } from "./Pacer.ts"

/** A client may be ahead of real time by this: its timers are late at times, and early afterwards. */
const calleeAheadMs = 200
/** What a callee says faster than it could speak is kept up to this, and dropped beyond. */
const maxWaitingMs = 60 * Instant.second
/** A callee that has said nothing for this long is silent. */
const quietMs = 60
const frameMs = frameBytes / bytesPerMs
const silentFrame = new Uint8Array(frameBytes).fill(0xff)

/** What the agent's side of a line asks of the network. */
export interface LineEnds {
  /** Sound that the callee hears now. */
  readonly heard: (sound: Uint8Array) => void
  readonly cleared: () => void
  readonly hangUp: () => void
  readonly handBack: () => void
  readonly transfer: (phone: string) => boolean
}

export interface PhoneLine {
  readonly line: MediaLine
  readonly listen: (listener: MediaListener) => void
  /** The callee says something. */
  readonly say: (sound: Uint8Array) => void
  readonly press: (key: string) => void
  /** The other side has ended it. Of several ends the first is heard of. */
  readonly close: (why: "hangup" | "lost") => void
  /** A frame of silence for each 20 ms in which the callee says nothing. Ends with the line. */
  readonly silence: Effect.Effect<void>
}

export const makePhoneLine = (ends: LineEnds, run: (effect: Effect.Effect<void>) => unknown): PhoneLine => {
  let listener: MediaListener | null = null
  let isOver = false
  let lastSaidAt = 0
  const playing = makePacer({
    run,
    aheadMs: 0,
    play: (sound) => {
      if (!isOver) ends.heard(sound)
    },
    marked: (name) => {
      if (!isOver) listener?.marked(name)
    }
  })
  const speaking = makePacer({
    run,
    aheadMs: calleeAheadMs,
    play: (sound) => {
      if (!isOver) listener?.sound(sound)
    },
    marked: () => undefined
  })
  /** Ends the line from our side. */
  const end = (then: () => void) => () => {
    if (isOver) return
    isOver = true
    then()
  }

  return {
    line: {
      input: telephoneFormat,
      output: telephoneFormat,
      hasMarks: true,
      send: playing.write,
      mark: playing.mark,
      clear: () => {
        playing.clear()
        if (!isOver) ends.cleared()
      },
      transfer: async (phone) => {
        if (isOver || !ends.transfer(phone)) return false
        isOver = true
        return true
      },
      // Nobody hears the network's own voice.
      sayGoodbye: end(ends.hangUp),
      handBack: end(ends.handBack),
      hangUp: end(ends.hangUp)
    },
    listen: (given) => {
      listener = given
    },
    say: (sound) => {
      if (speaking.waitingMs() < maxWaitingMs) speaking.write(sound)
      run(
        Effect.map(Instant.now, (now) => {
          lastSaidAt = now
        })
      )
    },
    press: (key) => {
      if (!isOver) listener?.key(key)
    },
    close: (why) => {
      if (isOver) return
      isOver = true
      listener?.closed(why)
    },
    silence: Effect.gen(function* () {
      while (!isOver) {
        yield* Effect.sleep(frameMs)
        const isQuiet = speaking.waitingMs() === 0 && (yield* Instant.now) - lastSaidAt >= quietMs
        if (isQuiet && !isOver) listener?.sound(silentFrame)
      }
    })
  }
}
