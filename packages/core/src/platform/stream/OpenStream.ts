/** One open stream: what it has to say, and how it ends. It keeps a bounded number of frames for a client that reads slowly. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ChangeReader, Topic, TopicKind } from "../changes/index.ts"
import { changedFrame, lifeSign, resyncFrame } from "./StreamFrames.ts"

/** Frames that wait for a client. Four are a second of notes. */
const maxWaiting = 4

/** Notes that several streams get are written once. */
const frames = new WeakMap<ReadonlyArray<Topic>, Uint8Array>()

const frameOf = (topics: ReadonlyArray<Topic>): Uint8Array => {
  const written = frames.get(topics) ?? changedFrame(topics)
  frames.set(topics, written)
  return written
}

export class OpenStream implements ChangeReader {
  readonly kinds: ReadonlySet<TopicKind>
  #waiting: Array<Uint8Array> = []
  #hasEnded = false
  #wake: (() => void) | null = null

  constructor(kinds: ReadonlySet<TopicKind>) {
    this.kinds = kinds
  }

  /** What the client gets. */
  get frames(): Stream.Stream<Uint8Array> {
    return Stream.fromPull(Effect.succeed(this.#next))
  }

  changed(topics: ReadonlyArray<Topic>): void {
    this.say(frameOf(topics))
  }

  /** In place of all that waits, and of what there is no room for. */
  resync(): void {
    if (this.#hasEnded) return
    this.#waiting = []
    this.say(resyncFrame)
  }

  say(frame: Uint8Array): void {
    if (this.#hasEnded) return
    if (this.#waiting.length === maxWaiting) this.#waiting = [resyncFrame]
    else this.#waiting.push(frame)
    this.#wake?.()
  }

  /** Nothing is added for a client that has not read what came before. */
  live(): void {
    if (this.#waiting.length === 0) this.say(lifeSign)
  }

  /** Ends it once the client has what waits, with a last frame. */
  end(last?: Uint8Array): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    if (last !== undefined) this.#waiting.push(last)
    this.#wake?.()
  }

  readonly #next: Effect.Effect<NonEmpty, Cause.Done> = Effect.suspend(() => {
    const taken = this.#waiting
    this.#waiting = []
    if (isNonEmpty(taken)) return Effect.succeed(taken)
    return this.#hasEnded ? Cause.done() : Effect.andThen(this.#said, this.#next)
  })

  readonly #said = Effect.callback<void>((resume) => {
    this.#wake = () => {
      this.#wake = null
      resume(Effect.void)
    }
    return Effect.sync(() => {
      this.#wake = null
    })
  })
}

type NonEmpty = readonly [Uint8Array, ...Array<Uint8Array>]

const isNonEmpty = (frames: ReadonlyArray<Uint8Array>): frames is NonEmpty => frames.length > 0
