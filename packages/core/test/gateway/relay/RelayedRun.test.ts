/** One relayed request at its upstream, with a fake for everything around it: docs/reference/gateway.md#relay. Verifies: RELY-2, RELY-3. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { assert, describe, it } from "vitest"
import { handedOver } from "../../../src/gateway/admission/index.ts"
import type { Models } from "../../../src/gateway/catalogue/index.ts"
import { llmFailures, llmWork, translationTo } from "../../../src/gateway/llm/index.ts"
import { readLlmRequest } from "../../../src/gateway/llm/LlmRequest.ts"
import type { LlmEvent } from "../../../src/gateway/llm/translate/Translation.ts"
import type { RelayedRequest } from "../../../src/gateway/relay/RelayAdmission.ts"
import { RelayedRun, type RelayServices } from "../../../src/gateway/relay/RelayedRun.ts"
import { meteredWork } from "../../../src/gateway/routes/InferenceRoutes.ts"
import { storesNothing } from "../../../src/gateway/run/RunOnce.ts"
import { UpstreamFailed } from "../../../src/gateway/upstreams/index.ts"
import type { GenerateReceiver } from "../../../src/gateway/upstreams/Upstream.ts"
import { storedText } from "../../../src/platform/idempotency/index.ts"
import { Instant, leaseMs } from "../../../src/platform/kernel/index.ts"
import { StorageError } from "../../../src/platform/storage/index.ts"

const model = { id: "ours", limits: {}, price: { unit: "tokens", input: 1n, output: 1n, cachedInput: 1n } }

const chunk = (content: string, finish_reason: string | null = null): LlmEvent => ({
  event: null,
  data: { id: "theirs", model: "theirs", choices: [{ index: 0, delta: { content }, finish_reason }] }
})

const whole = {
  json: { choices: [{ message: { content: "hi" } }], usage: { prompt_tokens: 1, completion_tokens: 1 } },
  hasEndMark: false
}

const failure = new UpstreamFailed({ why: "failed", detail: "it broke off", retryAfterSeconds: null, advice: null })

interface Stage {
  readonly isStreamed?: boolean
  /** What the ledger answers to the bill. */
  readonly settled?: Exit.Exit<unknown, StorageError>
  /** It has an Idempotency-Key. */
  readonly isKeyed?: boolean
  /** The client reads nothing. */
  readonly isSlow?: boolean
  readonly throwsAt?: "ask" | "respond"
}

/** A run, and the log of all that it does around itself. */
const staged = ({
  isKeyed = false,
  isSlow = false,
  isStreamed = false,
  settled = Exit.succeed(null),
  throwsAt
}: Stage = {}) => {
  const log: Array<string> = []
  const notes = (line: string) => () => void log.push(line)
  let now = Instant.make(0)
  let isGone = false
  let receiver: GenerateReceiver | undefined
  let drained = () => {}
  const source = {}
  const body = { model: "ours", messages: [{ role: "user", content: "hi" }], max_tokens: 5, stream: isStreamed }
  const request = readLlmRequest({ api: "chat_completions", body, bytes: 10, headers: {} })
  const { candidate, run } = llmWork(request, model as unknown as Models.Model, {
    at: now,
    next: () => "00000000-0000-7000-8000-000000000001",
    outlet: null
  })
  const slot = { id: "usage", keyId: "key", tenantId: "account", isReleased: false }
  const caller = { principal: { account: { paymentMethod: "verified" } }, slot, startedAt: now, usageId: "usage" }
  const kept: Array<string> | null = isKeyed ? [] : null
  const encode = () => storedText("application/json", kept?.join("") ?? "{}")
  const asked = isKeyed ? { tenantId: "account", key: "once", claim: "claim", fingerprint: "print", leaseMs } : null
  const store = asked === null ? storesNothing : Object.assign(() => Effect.void, { run: asked as never })
  const work = meteredWork(llmFailures("chat_completions"), caller as never, { candidate, encode }, store)
  const route = { upstream: { name: "fake", maxMs: 60_000, servedBy: null }, model: "theirs" }
  const relayed = {
    ...{ caller, request, run, route, work, sent: { api: "chat_completions", body: {} } },
    chosen: translationTo("chat_completions", ["chat_completions"])!,
    admission: { limits: {}, run: asked, reserve: { id: "usage" } },
    stream: { kept, usageSoFar: null },
    open: (_: unknown, given: GenerateReceiver) => {
      log.push("asks")
      if (throwsAt === "ask") throw new Error("a fault of an upstream's adapter")
      receiver = given
      return { pause: notes("pauses"), resume: notes("resumes"), cancel: notes("cancels") }
    }
  } as unknown as RelayedRequest
  const exchange = {
    ...{ path: "/v1/chat/completions", requestId: "request", request: { source } },
    failed: () => HttpServerResponse.empty({ status: 500 }),
    finished: (answer: HttpServerResponse.HttpServerResponse) => answer,
    connection: {
      handOver: notes("hands over"),
      isGone: () => isGone,
      respond: ({ status }: HttpServerResponse.HttpServerResponse) => {
        log.push(`answers ${status}`)
        if (throwsAt === "respond") throw new Error("a fault of the host")
      },
      open: (_: unknown, whenDrained: () => void) => {
        drained = whenDrained
        return {
          write: (text: string) => log.push(`sends ${text.trim().slice(0, 12)}`) > 0 && !isSlow,
          end: notes("ends")
        }
      }
    }
  }
  const services = {
    breakers: {
      end: (_: unknown, { outcome }: { readonly outcome: string }) => {
        log.push(`breaker ${outcome}`)
        return Effect.void
      }
    },
    direct: { begin: () => notes("counts no longer") },
    metered: { billOf: () => ({ due: 1n, used: {} }) },
    metering: {
      release: () => Effect.sync(notes("releases")),
      withoutFiber: {
        settle: (
          _: unknown,
          { answer }: { readonly answer: unknown },
          done: (exit: Exit.Exit<unknown, StorageError>) => void
        ) => {
          log.push(answer === null ? "settles" : "settles and keeps its answer")
          done(settled)
        }
      }
    },
    routes: {
      conclude: (_: unknown, __: unknown, attempt: { readonly _tag: string }) =>
        Effect.suspend(() => {
          log.push(`concludes ${attempt._tag}`)
          return attempt._tag === "Answered"
            ? Effect.succeed({ response: encode(), isReplayed: false })
            : Effect.failCause(Cause.interrupt())
        })
    },
    idempotency: {
      finish: () => Effect.sync(notes("frees its key")),
      renew: () => Effect.sync(notes("renews its lease"))
    },
    goOnAlone: (_: unknown, { claim }: { readonly claim: string | null }) =>
      Effect.sync(notes(`goes on alone with its ${claim}`)),
    releaseSlot: () => Effect.sync(notes("releases the slot")),
    now: () => now,
    fork: (effect: Effect.Effect<void>) => void Effect.runSync(effect),
    pingMs: 15_000,
    headerPrefix: "X-",
    ended: notes("ended")
  } as unknown as RelayServices
  const relayedRun = new RelayedRun({ exchange: exchange as never, relayed, allowance: null }, services)
  return {
    log,
    kept,
    source,
    slot,
    run: relayedRun,
    upstream: () => receiver!,
    read: () => drained(),
    leave: () => {
      isGone = true
    },
    pass: (ms: number) => {
      now = Instant.plus(now, ms)
      relayedRun.tick(now)
    }
  }
}

describe("a relayed run", () => {
  it("answers once its bill is written, and has released its slot with it", () => {
    const { log, run, slot, upstream } = staged()
    run.begin()
    upstream().ended(whole)
    assert.deepEqual(log, ["asks", "breaker succeeded", "settles", "answers 200", "counts no longer", "ended"])
    assert.isTrue(slot.isReleased)
  })

  it("sends a stream as it comes, and its end mark once its bill is written", () => {
    const { log, run, upstream } = staged({ isStreamed: true })
    run.begin()
    upstream().events([chunk("a")])
    upstream().events([chunk("b", "stop")])
    upstream().ended({ json: null, hasEndMark: true })
    const sent = log.filter((line) => line.startsWith("sends"))
    assert.lengthOf(sent, 3)
    assert.deepEqual(log.slice(-5), ["breaker succeeded", "settles", "sends data: [DONE]", "ends", "ended"])
  })

  it("hands over what failed before anything was sent, with what is reserved for it", () => {
    const { log, run, source, upstream } = staged()
    run.begin()
    upstream().failed(failure)
    assert.deepEqual(log, ["asks", "counts no longer", "ended", "hands over"])
    const handed = handedOver.get(source)
    assert.equal(handed?.attempt?.failure, failure)
    assert.isFalse(handed?.attempt?.isTaken)
    Effect.runSync(handed!.attempt!.release)
    assert.include(log, "releases")
  })

  it("ends a stream that fails after its beginning, and never hands it over", () => {
    const { log, run, upstream } = staged({ isStreamed: true })
    run.begin()
    upstream().events([chunk("a")])
    upstream().failed(failure)
    assert.deepEqual(log.slice(-7), [
      ...["cancels", "breaker failed", "concludes Failed", 'sends data: {"erro', "ends", "ended"],
      "releases the slot"
    ])
  })

  it("ends at its upstream when its client leaves, once", () => {
    const { leave, log, run, upstream } = staged({ isStreamed: true })
    run.begin()
    upstream().events([chunk("a")])
    leave()
    run.cancel()
    run.cancel()
    assert.lengthOf(
      log.filter((line) => line === "concludes Broken"),
      1
    )
    assert.lengthOf(
      log.filter((line) => line === "ended"),
      1
    )
  })

  it("of a stream under an Idempotency-Key goes on without its client, whose slot is free, and keeps its answer", () => {
    const { kept, leave, log, run, upstream } = staged({ isStreamed: true, isKeyed: true })
    run.begin()
    upstream().events([chunk("a")])
    leave()
    run.abandon()
    upstream().events([chunk("b", "stop")])
    upstream().ended({ json: null, hasEndMark: true })
    assert.lengthOf(
      log.filter((line) => line.startsWith("sends data: {")),
      1
    )
    assert.deepEqual(
      log.filter((line) => !/^(sends|ends|answers)/.test(line)),
      [
        ...["asks", "counts no longer", "releases the slot", "breaker succeeded"],
        ...["settles and keeps its answer", "ended"]
      ]
    )
    assert.match(kept!.join(""), /"a".*"b"/s)
  })

  it("of a stream under an Idempotency-Key reads on once the client has gone that had read too slowly", () => {
    const { leave, log, run, upstream } = staged({ isStreamed: true, isKeyed: true, isSlow: true })
    run.begin()
    upstream().events([chunk("a")])
    leave()
    run.abandon()
    upstream().events([chunk("b")])
    assert.deepEqual(
      log.filter((line) => /^(pauses|resumes)/.test(line)),
      ["pauses", "resumes"]
    )
  })

  it("of a stream under an Idempotency-Key without its client tries the next attempt before its first event, and none after it", () => {
    const before = staged({ isStreamed: true, isKeyed: true })
    before.run.begin()
    before.leave()
    before.run.abandon()
    before.upstream().failed(failure)
    assert.deepEqual(before.log.slice(-2), ["ended", "goes on alone with its claim"])
    const after = staged({ isStreamed: true, isKeyed: true })
    after.run.begin()
    after.leave()
    after.run.abandon()
    after.upstream().events([chunk("a")])
    after.upstream().failed(failure)
    assert.include(after.log, "concludes Failed")
  })

  it("under an Idempotency-Key ends with its client where it is not streamed, and hands its claim over where it fails", () => {
    const gone = staged({ isKeyed: true })
    gone.run.begin()
    gone.leave()
    gone.run.abandon()
    assert.include(gone.log, "concludes Broken")
    const failed = staged({ isKeyed: true })
    failed.run.begin()
    failed.upstream().failed(failure)
    const { attempt } = handedOver.get(failed.source)!
    assert.equal(attempt?.claim, "claim")
    Effect.runSync(attempt!.release)
    assert.deepEqual(failed.log.slice(-2), ["releases", "frees its key"])
  })

  it("renews the lease of its Idempotency-Key four times in its time", () => {
    const { log, pass, run } = staged({ isKeyed: true, isStreamed: true })
    const renewals = () => log.filter((line) => line === "renews its lease").length
    run.begin()
    pass(leaseMs / 4 - 1)
    assert.equal(renewals(), 0)
    pass(1)
    pass(leaseMs / 4 - 1)
    assert.equal(renewals(), 1)
    pass(1)
    assert.equal(renewals(), 2)
  })

  it("of a client that left before is not asked for, and is not handed over after a failure", () => {
    const before = staged()
    before.leave()
    before.run.begin()
    assert.notInclude(before.log, "asks")
    assert.include(before.log, "concludes Broken")
    const after = staged()
    after.run.begin()
    after.leave()
    after.upstream().failed(failure)
    assert.notInclude(after.log, "hands over")
    assert.include(after.log, "concludes Failed")
  })

  it("reads its upstream no further while its client reads too slowly, and sends it no ping", () => {
    const { log, pass, read, run, upstream } = staged({ isStreamed: true, isSlow: true })
    run.begin()
    upstream().events([chunk("a")])
    upstream().events([chunk("b")])
    pass(20_000)
    assert.deepEqual(
      log.filter((line) => /^(pauses|resumes|sends : ping)/.test(line)),
      ["pauses"]
    )
    read()
    assert.equal(log.at(-1), "resumes")
  })

  it("sends a ping where nothing was sent for its time, but not before its stream begins", () => {
    const { log, pass, run, upstream } = staged({ isStreamed: true })
    const pings = () => log.filter((line) => line === "sends : ping").length
    run.begin()
    pass(15_000)
    assert.equal(pings(), 0)
    upstream().events([chunk("a")])
    pass(14_999)
    assert.equal(pings(), 0)
    pass(1)
    assert.equal(pings(), 1)
    pass(14_999)
    assert.equal(pings(), 1)
  })

  it("is handed over as timed out where its upstream does not end within what it promises", () => {
    const { log, pass, run, source } = staged()
    run.begin()
    pass(75_000)
    assert.notInclude(log, "hands over")
    pass(1)
    assert.deepEqual(log.slice(-2), ["ended", "hands over"])
    assert.include(log, "cancels")
    assert.equal(handedOver.get(source)?.attempt?.failure.why, "timeout")
  })

  it("whose bill cannot be written is concluded by a fiber, and answered once", () => {
    const settled = Exit.fail(new StorageError({ reason: "unavailable", detail: "it is away" }))
    const { log, run, upstream } = staged({ settled })
    run.begin()
    upstream().ended(whole)
    assert.deepEqual(log.slice(2), [
      ...["settles", "concludes Answered", "answers 200", "counts no longer", "ended"],
      "releases the slot"
    ])
  })

  it("ends where its upstream cannot even be asked", () => {
    const { log, run } = staged({ throwsAt: "ask" })
    run.begin()
    assert.deepEqual(log, [
      ...["asks", "breaker neither", "concludes Broken", "answers 500", "counts no longer", "ended"],
      "releases the slot"
    ])
  })

  it("throws nothing at its upstream or at the ledger, whatever its host throws", () => {
    const { log, run, upstream } = staged({ throwsAt: "respond" })
    run.begin()
    upstream().ended(whole)
    assert.lengthOf(
      log.filter((line) => line === "answers 200"),
      1
    )
    assert.equal(log.at(-1), "ended")
  })
})
