/** A language model that a test plays, whose answers are streams: it logs each request, and a test decides what comes and how it ends. */
import type { UpstreamProvider } from "@trunkline/core"
import {
  type GenerateWork,
  isObject,
  type Json,
  type Upstream,
  UpstreamFailed,
  type UpstreamWhy,
  upstreamProvider
} from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import { leak } from "./FakeSpeech.ts"

/** A piece of an answer: a text, or a whole `delta` of the chat API. */
export type ThoughtPiece = string | Json

/** Hands pieces on, those together that have come together. */
type Say = (...pieces: ReadonlyArray<ThoughtPiece>) => Effect.Effect<void>
type Thinking = (say: Say, work: GenerateWork) => Effect.Effect<void, UpstreamFailed>

const chunk = (delta: Json, finish_reason: string | null = null) => ({
  event: null,
  data: { id: "theirs", model: "theirs", choices: [{ index: 0, delta, finish_reason }] }
})

/** The last chunks: 100 tokens of input, 20 of them cached, and 10 of output. */
const ending = [
  chunk({}, "stop"),
  {
    event: null,
    data: {
      ...{ id: "theirs", model: "theirs", choices: [] },
      usage: { prompt_tokens: 100, completion_tokens: 10, prompt_tokens_details: { cached_tokens: 20 } }
    }
  }
]

export class FakeThinking {
  /** What was asked, in the order in which it came. */
  readonly works: Array<GenerateWork> = []
  /** Requests that their callers interrupted. */
  interrupted = 0
  #thinking: Thinking = (say) => say("hello")

  /** What it does from now on; its answer ends as a whole one does, unless it fails. */
  readonly does = (thinking: Thinking): void => {
    this.#thinking = thinking
  }

  /** Says these pieces, one after the other. */
  readonly says = (...pieces: ReadonlyArray<ThoughtPiece>): void => {
    this.does((say) => Effect.forEach(pieces, (piece) => say(piece), { discard: true }))
  }

  /** Says these pieces, and fails. */
  readonly fails = (why: UpstreamWhy, ...pieces: ReadonlyArray<ThoughtPiece>): void => {
    const failed = new UpstreamFailed({ why, detail: leak, retryAfterSeconds: null, advice: null })
    this.does((say) => Effect.andThen(say(...pieces), Effect.fail(failed)))
  }

  /** Says these pieces, and then nothing more. */
  readonly hangs = (...pieces: ReadonlyArray<ThoughtPiece>): void => {
    this.does((say) => Effect.andThen(say(...pieces), Effect.never))
  }

  readonly provider: UpstreamProvider = upstreamProvider(
    (name: string): Upstream => ({
      ...{ name, provider: "fake", servedBy: null, maxMs: 60_000, apis: ["chat_completions"] },
      capabilities: {
        generate: (work) =>
          Effect.suspend(() => {
            this.works.push(work)
            const { onEvents } = work
            const say: Say = (...pieces) =>
              pieces.length === 0 || onEvents === null
                ? Effect.void
                : Effect.asVoid(onEvents(pieces.map((piece) => chunk(isObject(piece) ? piece : { content: piece }))))
            const whole = Effect.andThen(
              this.#thinking(say, work),
              Effect.suspend(() => onEvents!(ending))
            )
            return Effect.onInterrupt(Effect.as(whole, { json: null, hasEndMark: true }), () =>
              Effect.sync(() => {
                this.interrupted += 1
              })
            )
          })
      }
    })
  )
}
