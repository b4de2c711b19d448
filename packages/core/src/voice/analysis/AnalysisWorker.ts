/**
 * Runs analyses that are due. Each is claimed under a lease that is renewed, so that one process has it at a time, and a process
 * that lost its claim writes nothing.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import { Outbox } from "../../platform/events/index.ts"
import { Ids, Instant, renewing } from "../../platform/kernel/index.ts"
import { Storage, type StorageError } from "../../platform/storage/index.ts"
import { SpokenSessions } from "../sessions/index.ts"
import { type Analysis, completed, eventOf, failed, maxAttempts, postponed, released } from "./Analysis.ts"
import { AnalysisStore } from "./AnalysisStore.ts"
import { type Attempt, makeAnalyst } from "./Analyst.ts"

/** After a crash another process begins within this time. */
const claimMs = 30 * Instant.second

/** Analyses that a process runs at a time. */
const maxRunning = 8

/** Analyses that a stop cancels have this time for their rows. */
const cancelGraceMs = Instant.second

const interrupted: Attempt = {
  _tag: "Failed",
  error: "The analysis was interrupted too often",
  model: null,
  mayPass: false
}

export class AnalysisWorker extends Context.Service<
  AnalysisWorker,
  {
    /** Begins as many due analyses as there is room for; returns how many. */
    readonly tick: Effect.Effect<number, StorageError>
    /** When the next analysis is due, or a claim runs out; null while there is no room for it. */
    readonly nextDue: Effect.Effect<Instant.Instant | null, StorageError>
    /** Waits until none runs. */
    readonly idle: Effect.Effect<void>
    /** Ends those that run: they are free at once. */
    readonly cancel: Effect.Effect<void>
  }
>()("@trunkline/core/voice/analysis/AnalysisWorker") {
  static readonly layer = Layer.effect(
    AnalysisWorker,
    Effect.gen(function* () {
      const analyst = yield* makeAnalyst
      const outbox = yield* Outbox
      const spoken = yield* SpokenSessions
      const storage = yield* Storage
      const store = yield* AnalysisStore
      const fibers = yield* FiberSet.make()
      let running = 0

      const commit = Effect.fnUntraced(function* (analysis: Analysis, claim: string, attempt: Attempt) {
        const events = yield* storage.transact(
          Effect.gen(function* () {
            const at = yield* Instant.now
            const next = after(analysis, attempt, at)
            const session = yield* spoken.find(analysis.tenantId, analysis.sessionId)
            const isMine = yield* store.save(next, claim, session?.callId ?? null)
            return isMine && attempt._tag === "Found" ? yield* outbox.append([eventOf(next, attempt.session, at)]) : []
          })
        )
        yield* outbox.publish(events)
      })

      const release = (analysis: Analysis, claim: string) =>
        Effect.flatMap(Instant.now, (at) => storage.transact(store.save(released(analysis, at), claim, null)))

      const attempt = (analysis: Analysis) =>
        analysis.attempts > maxAttempts ? Effect.succeed(interrupted) : analyst.attempt(analysis)

      /** An answer that has been paid for is written. Where that fails, the claim runs out. */
      const run = (analysis: Analysis, claim: string) =>
        Effect.uninterruptibleMask((interruptible) =>
          interruptible(attempt(analysis)).pipe(
            Effect.onInterrupt(() => Effect.ignore(release(analysis, claim))),
            Effect.flatMap((came) => commit(analysis, claim, came))
          )
        )

      const work = (analysis: Analysis, claim: string) =>
        renewing(run(analysis, claim), {
          leaseMs: claimMs,
          renew: (until) => storage.transact(store.renew({ sessionId: analysis.sessionId, claim }, until))
        }).pipe(
          Effect.catchCause((cause) => Effect.logError("an analysis failed", analysis.sessionId, cause)),
          Effect.ensuring(
            Effect.sync(() => {
              running -= 1
            })
          )
        )

      const tick = Effect.gen(function* () {
        const limit = maxRunning - running
        if (limit <= 0) return 0
        const claim = yield* Ids.fresh()
        const at = yield* Instant.now
        const due = yield* storage.transact(store.claimDue({ at, until: Instant.plus(at, claimMs), claim, limit }))
        for (const analysis of due) {
          running += 1
          yield* FiberSet.run(fibers, work(analysis, claim))
        }
        return due.length
      })

      return AnalysisWorker.of({
        tick,
        nextDue: Effect.suspend(() => (running < maxRunning ? storage.read(store.nextDue) : Effect.succeed(null))),
        idle: Effect.gen(function* () {
          while (running > 0) yield* FiberSet.awaitEmpty(fibers)
        }),
        cancel: Effect.asVoid(Effect.timeoutOption(FiberSet.clear(fibers), cancelGraceMs))
      })
    })
  )
}

/** The analysis after an attempt. */
const after = (analysis: Analysis, attempt: Attempt, at: Instant.Instant): Analysis => {
  const { model } = attempt
  if (attempt._tag === "Found") return completed(analysis, attempt.findings, { at, model: attempt.model })
  const again = attempt.mayPass ? postponed(analysis, at) : null
  return again ?? failed(analysis, attempt.error, { at, model })
}
