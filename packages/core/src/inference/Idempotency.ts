/** One Idempotency-Key, one run: the first answer is kept for a day and given again. Source: docs/gateway.md#idempotency. */
import { utf8ToBytes } from "@noble/hashes/utils.js"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Ids, Instant, isLonger } from "../kernel/index.ts"
import { Storage, type StorageError, type Tx } from "../storage/index.ts"
import { digest } from "./Fingerprint.ts"
import { IdempotencyStore, type KeyedRun } from "./IdempotencyStore.ts"
import { codeless, type InferenceRefused, refuse } from "./InferenceErrors.ts"

/** An answer that is kept: always a success. */
export interface KeptAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: string
  /** Headers that belong to the answer itself, such as who served it. */
  readonly headers: Readonly<Record<string, string>>
}

/** A success in JSON, to be kept. */
export const keptJson = (body: unknown): KeptAnswer => ({
  status: codeless.answered,
  contentType: "application/json",
  body: JSON.stringify(body),
  headers: {}
})

export interface Once {
  readonly tenantId: Ids.AccountId
  readonly key: string
  /** Of route, fields and the file's digest: another request under the same key has another one. */
  readonly fingerprint: string
  /** Longer than the request may take: after it, a run that was never ended may be begun again. */
  readonly leaseMs: number
}

/** The fingerprint of a request in JSON: of what it asks for, however that was written. */
export const fingerprintOf = (route: string, asked: unknown): string => {
  const hash = digest()
  hash.update(utf8ToBytes(JSON.stringify([route, asked])))
  return hash.end()
}

interface Kept {
  readonly _tag: "Kept"
  readonly answer: KeptAnswer
}

type Begun = { readonly _tag: "Begun"; readonly claim: string } | Kept

/** The run stood still past its lease, and its key is another request's: what the run did counts for nothing. */
export class ClaimLost extends Schema.TaggedError<ClaimLost>()("ClaimLost", {}) {}

/** Keeps the answer of a run, in the transaction of what it tells and charges. Fails, and so ends that transaction, without the claim. */
export type Keep = (answer: KeptAnswer) => Effect.Effect<void, ClaimLost | StorageError, Tx>

/** What a request under a key comes to: its own work's result, or what the first one answered. */
export type Ran<A> = { readonly _tag: "Ran"; readonly result: A } | Kept

/** How long an answer is given again. */
const keptMs = Instant.day

/** In Unicode code points. */
const longestKey = 255

/** A client that waits so long finds most first runs ended. */
const retryAfterSeconds = 1

/** Answers that go in one transaction: each may be of several megabytes. */
const sweptTogether = 100

const isUsable = (key: string): boolean => key !== "" && !isLonger(key, longestKey)

const keyRefused = refuse("invalid_request", {
  message: `An Idempotency-Key has 1 to ${longestKey} characters.`,
  param: "Idempotency-Key"
})

const inProgress = refuse("idempotency_in_progress", { retryAfterSeconds })

/** What a request gets when its key is taken. Another request is told so at once, also while the first one runs. */
const judge = (stands: KeyedRun, { fingerprint }: Once): Effect.Effect<Kept, InferenceRefused> => {
  if (stands.fingerprint !== fingerprint) return Effect.fail(refuse("idempotency_key_reused"))
  return stands.answer === null ? Effect.fail(inProgress) : Effect.succeed({ _tag: "Kept", answer: stands.answer })
}

const isSuccess = ({ status }: KeptAnswer): boolean => Math.trunc(status / 100) === 2

export class Idempotency extends Context.Service<
  Idempotency,
  {
    /**
     * Begins a run, or answers what the first one answered. Fails with `idempotency_key_reused` for another request, with
     * `idempotency_in_progress` while the first one runs, and with `invalid_request` for a key of no or of more than 255
     * characters. `claim` proves the run to `finish`.
     */
    readonly begin: (once: Once) => Effect.Effect<Begun, InferenceRefused | StorageError>
    /**
     * Ends a run: keeps its answer, or with null forgets it, so that the key may carry any request again. An answer that is
     * no success is forgotten too. A claim that is no longer current changes nothing.
     */
    readonly finish: (once: Once, claim: string, answer: KeptAnswer | null) => Effect.Effect<void, StorageError>
    /**
     * Keeps an answer in the caller's transaction, so that what a run is billed and its answer are kept together or not at all.
     * Fails with `ClaimLost` when the claim is no longer current: the transaction must not be committed.
     */
    readonly keeping: (once: Once, claim: string) => Keep
    /**
     * Begins a run, does its work and ends it: the work keeps its answer by what it is handed, and leaves the key free when it
     * fails or is interrupted. A run that lost its claim comes to what the run that has it answered, or fails with
     * `idempotency_in_progress`. Fails as `begin` does, and as the work.
     */
    readonly run: <A, E, R>(
      once: Once,
      work: (keep: Keep) => Effect.Effect<A, E | ClaimLost, R>
    ) => Effect.Effect<Ran<A>, E | InferenceRefused | StorageError, R>
    /** Removes what was kept long enough; tells how many. */
    readonly sweep: Effect.Effect<number, StorageError>
  }
>()("@trunkline/core/inference/Idempotency") {
  static readonly layer = Layer.effect(
    Idempotency,
    Effect.gen(function* () {
      const storage = yield* Storage
      const store = yield* IdempotencyStore

      const begin = Effect.fn("Idempotency.begin")(function* (once: Once) {
        const { fingerprint, key, leaseMs, tenantId } = once
        if (!isUsable(key)) return yield* keyRefused
        const at = yield* Instant.now
        const claim: string = yield* Ids.fresh()
        const leaseUntil = Instant.plus(at, leaseMs)
        // A run never expires before its lease: else a slow one would be begun a second time.
        const expiresAt = Instant.later(Instant.plus(at, keptMs), leaseUntil)
        const stands = yield* storage.transact(
          Effect.gen(function* () {
            const taken = yield* store.take(
              { tenantId, key, fingerprint, claim, leaseUntil, answer: null, expiresAt },
              at
            )
            return taken ? null : yield* store.find(tenantId, key)
          })
        )
        return stands === null ? ({ _tag: "Begun", claim } as const) : yield* judge(stands, once)
      })

      const keeping = ({ key, tenantId }: Once, claim: string): Keep =>
        Effect.fnUntraced(function* (answer: KeptAnswer) {
          const run = { tenantId, key, claim }
          if (!isSuccess(answer)) return yield* store.forget(run)
          const isOurs = yield* store.keep(run, answer, Instant.plus(yield* Instant.now, keptMs))
          if (!isOurs) return yield* new ClaimLost()
        })

      const finish = (once: Once, claim: string, answer: KeptAnswer | null) => {
        const { key, tenantId } = once
        const ending = answer === null ? store.forget({ tenantId, key, claim }) : keeping(once, claim)(answer)
        return Effect.catchTag(storage.transact(ending), "ClaimLost", () => Effect.void)
      }

      /** A run that has kept its answer is ended: then its claim is no longer current, and this changes nothing. */
      const forget = (once: Once, claim: string) =>
        Effect.catchCause(finish(once, claim, null), (cause) =>
          Effect.logError("an Idempotency-Key is taken until the lease of its run ends", cause)
        )

      /** What a run that lost its claim comes to. A key that is free again can be asked under again, like one that is in use. */
      const overtaken = Effect.fnUntraced(function* (once: Once) {
        const stands = yield* storage.read(store.find(once.tenantId, once.key))
        return yield* stands === null || stands.expiresAt <= (yield* Instant.now)
          ? Effect.fail(inProgress)
          : judge(stands, once)
      })

      const run = <A, E, R>(once: Once, work: (keep: Keep) => Effect.Effect<A, E | ClaimLost, R>) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.flatMap(
            begin(once),
            (begun): Effect.Effect<Ran<A>, E | InferenceRefused | StorageError, R> =>
              begun._tag === "Kept"
                ? Effect.succeed(begun)
                : restore(work(keeping(once, begun.claim))).pipe(
                    Effect.tapCause(() => forget(once, begun.claim)),
                    Effect.map((result): Ran<A> => ({ _tag: "Ran", result })),
                    Effect.catch(
                      (error): Effect.Effect<Kept, E | InferenceRefused | StorageError> =>
                        error instanceof ClaimLost ? overtaken(once) : Effect.fail(error)
                    )
                  )
          )
        )

      const sweep = Effect.gen(function* () {
        for (let removed = 0; ; ) {
          const some = yield* storage.transact(store.sweep(yield* Instant.now, sweptTogether))
          removed += some
          if (some < sweptTogether) return removed
        }
      })

      return Idempotency.of({
        begin,
        keeping,
        finish,
        run,
        sweep
      })
    })
  )
}
