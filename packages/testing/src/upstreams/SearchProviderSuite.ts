/** The promises that every search provider keeps to the core, over real sockets. */
import { assert, describe, it } from "@effect/vitest"
import type { SearchProvider, SearchWork, TypedWebSearchProvider } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { FakePage, FakeSearchOptions } from "./FakeSearchServers.ts"
import type { FakeUpstream, UpstreamCall, UpstreamMood } from "./FakeUpstream.ts"

export interface SearchSubject {
  readonly start: (options: FakeSearchOptions) => Promise<FakeUpstream>
  readonly make: (options: {
    readonly baseUrl: string
    readonly apiKey: string
    readonly timeoutMs: number
  }) => TypedWebSearchProvider
  /** Method, path, and what was asked for under the server's names, in alphabetical order. */
  readonly asked: (call: UpstreamCall) => string
  /** What `asked` says of a search without options, and of one with each option that the provider has. */
  readonly plain: string
  readonly optional: ReadonlyArray<readonly [asked: Partial<SearchWork>, expected: string]>
  /** Whether the server limits the number of its results. */
  readonly limits: boolean
  readonly hasScores: boolean
  /** Answers that hold no pages, and are no failures. */
  readonly empty: ReadonlyArray<unknown>
  /** Answers that are none of the server's. */
  readonly unreadable: ReadonlyArray<unknown>
  /** A success whose entries are these. */
  readonly answer: (entries: ReadonlyArray<unknown>) => unknown
  /** Refusals of the server's own, and the reason of each. */
  readonly refusals: ReadonlyArray<readonly [what: string, status: number, body: unknown, why: string]>
}

const key = "search-topsecret"

const plainWork: SearchWork = {
  ...{ query: "goa & beaches+", maxResults: 7, country: null, language: null, freshness: null, safeSearch: null },
  ...{ includeDomains: [], excludeDomains: [] }
}

const running = (subject: SearchSubject, options: FakeSearchOptions = {}, timeoutMs = 5000) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => subject.start({ apiKey: key, ...options })),
      (server) => Effect.promise(server.close)
    ),
    (server) => ({
      server,
      provider: subject.make({ baseUrl: server.origin, apiKey: key, timeoutMs }).make("web")
    })
  )

const searching = (provider: SearchProvider, work: Partial<SearchWork> = {}) =>
  provider.search({ ...plainWork, ...work })

/** What any server may do, and the reason of each failure. */
const moods: ReadonlyArray<readonly [what: string, mood: UpstreamMood, why: string]> = [
  ["throttling", { does: "answer", status: 429, headers: { "retry-after": "3" } }, "throttled"],
  ["a fault of its own", { does: "answer", status: 500, body: "leaky" }, "failed"],
  ["a path that it lacks", { does: "answer", status: 404 }, "not_found"],
  ["a request that it refuses", { does: "answer", status: 400 }, "refused_input"],
  ["a key that it refuses", { does: "answer", status: 401 }, "operator"],
  ["a redirection, which is not followed", { does: "answer", status: 302, headers: { location: "/" } }, "wrong_route"],
  ["a page for people", { does: "answer", body: "<html>leaky</html>" }, "unreadable"],
  ["an answer that breaks off", { does: "truncate" }, "unreadable"],
  ["an answer without end", { does: "trickle", megabytes: 17 }, "unreadable"],
  ["a connection that is reset", { does: "reset" }, "unreachable"]
]

const fieldsSuite = (subject: SearchSubject) => {
  it.live("sends a search as one request with its key", () =>
    Effect.gen(function* () {
      const { provider, server } = yield* running(subject)
      yield* searching(provider)
      assert.deepStrictEqual(server.calls.map(subject.asked), [subject.plain])
      assert.include(JSON.stringify(server.calls[0]?.headers), key)
    })
  )

  it.live.each(subject.optional.map(([asked, expected]) => [JSON.stringify(asked), asked, expected] as const))(
    "sends %s under its own name",
    ([_, asked, expected]) =>
      Effect.gen(function* () {
        const { provider, server } = yield* running(subject)
        yield* searching(provider, asked)
        assert.deepStrictEqual(server.calls.map(subject.asked), [expected])
      })
  )

  it.live("has the traits that it is asked for, and no others", () =>
    Effect.gen(function* () {
      const { provider } = yield* running(subject)
      const asked = new Set(subject.optional.flatMap(([work]) => Object.keys(work)))
      assert.sameMembers([...asked], Object.keys(provider.traits))
    })
  )
}

const pagesSuite = (subject: SearchSubject) => {
  const pages: ReadonlyArray<FakePage> = [
    { title: "<b>A</b> &amp; b", url: "https://a.example/", snippet: "text", date: "2026-05-01T08:00:00", score: 0.5 },
    { title: "B", url: "not an address", snippet: "", score: 2 }
  ]

  it.live("returns the pages in their order, as the server wrote them", () =>
    Effect.gen(function* () {
      const { provider } = yield* running(subject, { pages })
      const score = (of: number) => (subject.hasScores ? of : null)
      assert.deepStrictEqual(yield* searching(provider), [
        {
          title: "<b>A</b> &amp; b",
          url: "https://a.example/",
          snippet: "text",
          date: "2026-05-01T08:00:00",
          score: score(0.5)
        },
        { title: "B", url: "not an address", snippet: "", date: null, score: score(2) }
      ])
    })
  )

  it.live("asks for no more than are wanted, where the server can be asked", () =>
    Effect.gen(function* () {
      const { provider } = yield* running(subject, {
        pages: Array.from({ length: 20 }, (_, n) => ({ url: `https://a.example/${n}` }))
      })
      assert.lengthOf(yield* searching(provider, { maxResults: 3 }), subject.limits ? 3 : 20)
    })
  )

  it.live("has found nothing where the server says so", () =>
    Effect.gen(function* () {
      const { provider, server } = yield* running(subject, { pages: [] })
      assert.deepStrictEqual(yield* searching(provider), [])
      for (const body of subject.empty) {
        server.behave({ does: "answer", body })
        assert.deepStrictEqual(yield* searching(provider), [])
      }
    })
  )

  it.live("passes over entries without an address, and fields of another type", () =>
    Effect.gen(function* () {
      const { provider, server } = yield* running(subject)
      const entries = [
        null,
        5,
        "page",
        [],
        { title: "no address" },
        { url: 5 },
        { url: "https://a.example/", title: 5 }
      ]
      server.behave({ does: "answer", body: subject.answer(entries) })
      const empty = { title: "", snippet: "", date: null, score: null }
      assert.deepStrictEqual(yield* searching(provider), [{ url: "https://a.example/", ...empty }])
    })
  )
}

const failuresSuite = (subject: SearchSubject) => {
  const failing = (mood: UpstreamMood, why: string) =>
    Effect.gen(function* () {
      const { provider, server } = yield* running(subject)
      server.behave(mood)
      const failed = yield* Effect.flip(searching(provider))
      assert.strictEqual(failed.why, why)
      assert.strictEqual(failed.retryAfterSeconds, why === "throttled" ? 3 : null)
      for (const secret of [key, "leaky", server.origin]) assert.notInclude(JSON.stringify(failed), secret)
      assert.strictEqual(server.begun(), 1)
    })

  it.live.each([
    ...moods,
    ...subject.unreadable.map(
      (body) => [JSON.stringify(body), { does: "answer", body } as const, "unreadable"] as const
    ),
    ...subject.refusals.map(
      ([what, status, body, why]) => [what, { does: "answer", status, body } as const, why] as const
    )
  ])("reports %s", ([_, mood, why]) => failing(mood, why))

  it.live("reports a server that does not answer in time", () =>
    Effect.gen(function* () {
      const { provider, server } = yield* running(subject, {}, 50)
      server.behave({ does: "hang" })
      assert.strictEqual((yield* Effect.flip(searching(provider))).why, "timeout")
    })
  )

  it.live("ends its request when it is interrupted", () =>
    Effect.gen(function* () {
      const { provider, server } = yield* running(subject)
      server.behave({ does: "hang" })
      const fiber = yield* Effect.forkChild(searching(provider))
      yield* Effect.promise(() => server.until(() => server.calls.length === 1))
      yield* Fiber.interrupt(fiber)
      yield* Effect.promise(() => server.until(() => server.aborted() === 1))
    })
  )
}

export const searchProviderSuite = (name: string, subject: SearchSubject): void => {
  describe(`the search provider ${name}`, () => {
    fieldsSuite(subject)
    pagesSuite(subject)
    failuresSuite(subject)
  })
}
