/** The upstream of a random day, which notes what it is asked. Each line of a batch has a text of its own. */

import {
  type EmbedAnswer,
  type GenerateAnswer,
  Instant,
  type Run,
  type Upstream,
  UpstreamFailed,
  upstreamProvider
} from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import { llmBodies } from "../upstreams/FakeLlmServer.ts"

/** What it does when it is asked for a line: the tries in turn, the last one again and again. */
export type Play = "answers" | "fails" | "is full" | "refuses"

/** A line as the day has planned it. */
export interface Plan {
  readonly plays: ReadonlyArray<Play>
  /** Milliseconds until the upstream answers. */
  readonly lasts: number
}

export interface Ask {
  readonly text: string
  readonly at: Instant.Instant
  readonly play: Play
}

const failures: Readonly<Record<Exclude<Play, "answers">, Pick<UpstreamFailed, "retryAfterSeconds" | "why">>> = {
  fails: { why: "failed", retryAfterSeconds: null },
  "is full": { why: "throttled", retryAfterSeconds: 7 },
  refuses: { why: "refused_input", retryAfterSeconds: null }
}

/** A step over the edge of the process that asks. */
export type Step = <A, E>(work: Effect.Effect<A, E>) => Effect.Effect<A, E>

export class BatchUpstream {
  readonly plans = new Map<string, Plan>()
  readonly asks: Array<Ask> = []
  /** Lines that it works on now. */
  running = 0
  /** Called at each request, once it is noted. */
  noted: (ask: Ask) => void = () => undefined

  asksOf(text: string): ReadonlyArray<Ask> {
    return this.asks.filter((ask) => ask.text === text)
  }

  readonly #work = (text: string): Effect.Effect<void, UpstreamFailed> =>
    Effect.gen({ self: this }, function* (this: BatchUpstream) {
      const plan = this.plans.get(text)
      // A direct request.
      if (plan === undefined) return
      const play = plan.plays[Math.min(this.asksOf(text).length, plan.plays.length - 1)]!
      const ask = { text, at: yield* Instant.now, play }
      this.asks.push(ask)
      this.running += 1
      this.noted(ask)
      yield* Effect.ensuring(
        Effect.sleep(plan.lasts),
        Effect.sync(() => {
          this.running -= 1
        })
      )
      if (play !== "answers") return yield* new UpstreamFailed({ ...failures[play], detail: play, advice: null })
    })

  /** As one process has it. */
  provider(step: Step) {
    const embed: Run<"embed"> = ({ body }) =>
      Effect.as(step(this.#work(String(body.input))), { vectors: [[1, 0]], inputTokens: 3 } satisfies EmbedAnswer)
    const generate: Run<"generate"> = ({ body }) => {
      const [message] = body.messages as ReadonlyArray<{ readonly content: string }>
      const answer = { json: llmBodies.chat_completions("hello"), hasEndMark: false } satisfies GenerateAnswer
      return Effect.as(step(this.#work(String(message?.content))), answer)
    }
    return upstreamProvider(
      (name: string): Upstream => ({
        ...{ name, provider: "fake", servedBy: null, maxMs: 60_000, apis: ["chat_completions"] },
        capabilities: { embed, generate }
      })
    )
  }
}

/** Both endpoints, with the body of a request for each text. */
export const bodies = {
  "/v1/chat/completions": (text: string) => ({
    ...{ model: "indic-105b", max_tokens: 20 },
    messages: [{ role: "user", content: text }]
  }),
  "/v1/embeddings": (text: string) => ({ model: "text-embedding-3-small", input: text })
} as const
export type BatchEndpointName = keyof typeof bodies
