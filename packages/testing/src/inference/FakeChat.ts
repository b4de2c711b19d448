/** A language model that a test plays: it logs each request, and a test decides when and how it answers. */
import type { UpstreamProvider } from "@trunkline/core"
import {
  type ChatAnswer,
  type ChatWork,
  type ToolCall,
  type Upstream,
  UpstreamFailed,
  type UpstreamWhy,
  upstreamProvider
} from "@trunkline/core/provider"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { leak } from "./FakeSpeech.ts"

type Answering = (work: ChatWork) => Effect.Effect<ChatAnswer, UpstreamFailed>

/** An answer. By default with 100 tokens of input, 20 of them cached, and 10 of output. */
export const chatAnswer = (answer: Partial<ChatAnswer> = {}): ChatAnswer => ({
  text: "",
  toolCalls: [],
  tokens: { input: 100, cachedInput: 20, output: 10 },
  ...answer
})

/** An answer that wants tools: each with its arguments, as an object or as the text that the model wrote. */
export const wants = (...calls: ReadonlyArray<readonly [name: string, args: object | string]>): ChatAnswer =>
  chatAnswer({
    toolCalls: calls.map(
      ([name, args], nth): ToolCall => ({
        id: `call_${nth}`,
        name,
        arguments: typeof args === "string" ? args : JSON.stringify(args)
      })
    )
  })

export class FakeChat {
  /** What was asked, in the order in which it came. */
  readonly works: Array<ChatWork> = []
  /** Requests that their callers interrupted. */
  interrupted = 0
  #answering: Answering = () => Effect.succeed(chatAnswer({ text: "hello" }))
  #maxMs = 60_000

  /** What it does from now on. */
  readonly does = (answering: Answering): void => {
    this.#answering = answering
  }

  /** Answers in turn; the last answer again and again. A text stands for an answer of it alone. */
  readonly says = (...answers: ReadonlyArray<ChatAnswer | string>): void => {
    let next = 0
    this.does(() =>
      Effect.sync(() => {
        const answer = answers[Math.min(next++, answers.length - 1)] ?? ""
        return typeof answer === "string" ? chatAnswer({ text: answer }) : answer
      })
    )
  }

  readonly fails = (why: UpstreamWhy, retryAfterSeconds: number | null = null): void => {
    this.does(() => Effect.fail(new UpstreamFailed({ why, detail: leak, retryAfterSeconds, advice: null })))
  }

  /** Makes the next requests wait for `answer`. `begun` resolves when one has come. */
  readonly waits = () => {
    const begun = Deferred.makeUnsafe<void>()
    const answer = Deferred.makeUnsafe<ChatAnswer, UpstreamFailed>()
    this.does(() => Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(answer)))
    return {
      begun: Deferred.await(begun),
      answer: (text: string) => Deferred.succeed(answer, chatAnswer({ text }))
    }
  }

  /** Promises to take no longer. */
  readonly promises = (maxMs: number): void => {
    this.#maxMs = maxMs
  }

  readonly provider: UpstreamProvider = upstreamProvider((name: string): Upstream => {
    const fake = this
    return {
      name,
      provider: "fake",
      servedBy: null,
      get maxMs() {
        return fake.#maxMs
      },
      capabilities: {
        chat: (work) =>
          Effect.suspend(() => {
            this.works.push(work)
            return Effect.onInterrupt(this.#answering(work), () =>
              Effect.sync(() => {
                this.interrupted += 1
              })
            )
          })
      }
    }
  })
}
