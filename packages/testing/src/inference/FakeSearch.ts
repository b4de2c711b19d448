/** A search provider that a test plays: it logs each search, and a test decides when and how it answers. */
import type { WebSearchProvider } from "@trunkline/core"
import {
  type FoundPage,
  type SearchTraits,
  type SearchWork,
  UpstreamFailed,
  type UpstreamWhy,
  webSearchProvider
} from "@trunkline/core/provider"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { leak } from "./FakeSpeech.ts"

type Answering = Effect.Effect<ReadonlyArray<FoundPage>, UpstreamFailed>

const everything: SearchTraits = {
  ...{ country: "any", language: "any", freshness: "any", safeSearch: "any" },
  ...{ includeDomains: "any", excludeDomains: "any" }
}

const blank: FoundPage = { title: "", url: "https://goa.example/", snippet: "", date: null, score: null }

export class FakeSearch {
  /** What was searched for, in the order in which it came. */
  readonly works: Array<SearchWork> = []
  /** Searches that their callers interrupted. */
  interrupted = 0
  readonly #traits: SearchTraits
  #answering: Answering = Effect.succeed([blank])

  constructor(traits: SearchTraits = everything) {
    this.#traits = traits
  }

  /** What it finds from now on. */
  readonly finds = (...pages: ReadonlyArray<Partial<FoundPage>>): void => {
    this.#answering = Effect.succeed(pages.map((page) => ({ ...blank, ...page })))
  }

  readonly fails = (why: UpstreamWhy, retryAfterSeconds: number | null = null): void => {
    this.#answering = Effect.fail(new UpstreamFailed({ why, detail: leak, retryAfterSeconds, advice: null }))
  }

  /** Makes the next searches wait for `answer`. `begun` resolves when one has come. */
  readonly waits = () => {
    const begun = Deferred.makeUnsafe<void>()
    const answer = Deferred.makeUnsafe<ReadonlyArray<FoundPage>>()
    this.#answering = Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(answer))
    return { begun: Deferred.await(begun), answer: Deferred.succeed(answer, [blank]) }
  }

  readonly provider: WebSearchProvider = webSearchProvider((name) => ({
    name,
    traits: this.#traits,
    maxMs: 60_000,
    search: (work) =>
      Effect.suspend(() => {
        this.works.push(work)
        return Effect.onInterrupt(this.#answering, () =>
          Effect.sync(() => {
            this.interrupted += 1
          })
        )
      })
  }))
}
