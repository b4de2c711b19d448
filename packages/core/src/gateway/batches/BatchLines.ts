/** Runs one line of a batch, as often as it takes to a result. The result is written with the bill. Source: docs/reference/batches.md#lines. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { Authentication, type Unauthenticated } from "../../platform/accounts/index.ts"
import { ClaimLost, type StoreResponse, storable } from "../../platform/idempotency/index.ts"
import {
  Ids,
  Instant,
  joinedBytes,
  jsonPieces,
  ownTurn,
  parseExactJson,
  tracedFn,
  utf8Length
} from "../../platform/kernel/index.ts"
import { Storage, type StorageError, type Tx } from "../../platform/storage/index.ts"
import * as Admission from "../admission/Admission.ts"
import { type InferenceRefused, refuse } from "../errors/InferenceErrors.ts"
import { chunkBytes, Files } from "../files/index.ts"
import type { InferenceCaller } from "../routes/InferenceRoutes.ts"
import { type Batch, publicBatchId } from "./Batch.ts"
import { BatchEndpoints } from "./BatchEndpoints.ts"
import { answeredLine, type BatchLine, type LineAnswer, refusedLine, retryAfterMs, usageOf } from "./BatchLine.ts"
import { BatchStore } from "./BatchStore.ts"

interface LineRun {
  readonly batch: Batch
  readonly line: BatchLine
  /** Fails with `ClaimLost` where another process has the account; else nobody can claim it before the transaction ends. */
  readonly fence: Effect.Effect<void, ClaimLost | StorageError, Tx>
  /** Completes at once while the claim is valid; else when it has been renewed. */
  readonly claimRenewed: Effect.Effect<void>
  /**
   * Ends when no line may begin any more, and so none is tried again: true where the batch ends, and a failure is the result; false
   * where the process ends, and the line has none.
   */
  readonly stopped: Effect.Effect<boolean>
}

const needs: Admission.Needs = { signedIn: "nobody", permissions: ["llm"], scope: null }

/** A batch has no page that it comes from: the key's domains were checked when it was made. */
const nowhere = { origin: undefined, referer: undefined }

export class BatchLines extends Context.Service<
  BatchLines,
  {
    /** Ends with the line's result, which is written once. A line that ends early has none and runs again. */
    readonly run: (line: LineRun) => Effect.Effect<void, ClaimLost | StorageError>
  }
>()("@trunkline/core/gateway/batches/BatchLines") {
  static readonly layer = Layer.effect(
    BatchLines,
    Effect.gen(function* () {
      const authentication = yield* Authentication
      const endpoints = yield* BatchEndpoints
      const files = yield* Files
      const storage = yield* Storage
      const store = yield* BatchStore

      const bytesOf = Effect.fnUntraced(function* ({ batch, line }: LineRun) {
        const { byteLength, fromByte } = line
        const first = Math.floor(fromByte / chunkBytes)
        const count = Math.floor((fromByte + byteLength - 1) / chunkBytes) - first + 1
        const file = { id: batch.inputFileId, bytes: fromByte + byteLength }
        const chunks = yield* Stream.runCollect(Stream.take(files.content(file, first), count))
        const from = fromByte - first * chunkBytes
        return joinedBytes(chunks).subarray(from, from + byteLength)
      })

      /** The body of the line's request, as it was checked. */
      const bodyOf = Effect.fnUntraced(function* (run: LineRun) {
        const bytes = yield* bytesOf(run)
        const size = bytes.byteLength
        const { body } = yield* ownTurn(size, () =>
          Effect.sync(() => parseExactJson(bytes) as { readonly body: unknown })
        )
        return { body, bytes: yield* writtenBytes(body, size) }
      })

      const callerOf = Effect.fnUntraced(function* ({ batch }: LineRun, requestId: string) {
        const principal = yield* batch.keyId === null
          ? Effect.fail(refuse("invalid_api_key"))
          : Effect.mapError(authentication.identifyKey(batch.keyId), (error) =>
              error._tag === "StorageError" ? error : unauthenticated(error)
            )
        const at = yield* Instant.now
        const key = principal.caller._tag === "Key" ? { ...principal.caller.key, allowedDomains: null } : null
        if (key === null) return yield* refuse("invalid_api_key")
        const refused = Admission.refusalOf({ ...principal, caller: { _tag: "Key", key } }, needs, nowhere, at)
        if (refused !== null) return yield* refused
        const { monthlyBudget, plan } = principal.account
        return {
          usageId: yield* Ids.fresh<"Usage">(),
          payer: { tenantId: principal.tenantId, plan, monthlyBudget, key },
          key,
          slot: null,
          requestId,
          sessionId: null,
          traceId: publicBatchId(batch.id),
          startedAt: at
        } satisfies InferenceCaller
      })

      /** Writes an answer in the transaction of its bill. */
      const storing =
        ({ batch, fence, line }: LineRun, answer: LineAnswer): StoreResponse =>
        (response) =>
          Effect.gen(function* () {
            yield* fence
            const { body, status } = storable(response)
            const isFirst = yield* store.settleLine({
              batchId: batch.id,
              n: line.n,
              outcome: "succeeded",
              result: answeredLine(answer, status, body),
              ...usageOf(body)
            })
            if (!isFirst) return yield* new ClaimLost()
          })

      const settleRefused = Effect.fnUntraced(function* (run: LineRun, answer: LineAnswer, refused: InferenceRefused) {
        yield* run.fence
        yield* store.settleLine({
          batchId: run.batch.id,
          n: run.line.n,
          outcome: "failed",
          result: refusedLine(answer, refused),
          inputTokens: 0,
          cachedTokens: 0,
          outputTokens: 0,
          reasoningTokens: 0
        })
      }, storage.transact)

      const attempt = Effect.fnUntraced(function* (run: LineRun, answer: LineAnswer) {
        const endpoint = endpoints.find(run.batch.endpoint)
        // A release that no longer has the endpoint, or a process of an older one.
        if (endpoint === null) return yield* refuse("service_unavailable", { isPermanent: true })
        const caller = yield* callerOf(run, answer.requestId)
        const { body, bytes } = yield* bodyOf(run)
        yield* endpoint(caller, body, bytes, storing(run, answer))
      })

      const run = tracedFn("BatchLines.run")(function* (given: LineRun) {
        const { claimRenewed, line, stopped } = given
        const answer: LineAnswer = {
          customId: line.customId,
          id: hex(yield* Ids.fresh()),
          requestId: yield* Ids.fresh()
        }
        for (let attempts = 1; ; attempts++) {
          const refused = yield* refusalIn(yield* Effect.exit(attempt(given, answer)))
          if (refused === null) return
          const afterMs = retryAfterMs(refused, attempts)
          if (afterMs === null) return yield* settleRefused(given, answer, refused)
          const isFinal = yield* Effect.raceFirst(stopped, Effect.as(Effect.delay(claimRenewed, afterMs), null))
          if (isFinal !== null) return yield* isFinal ? settleRefused(given, answer, refused) : Effect.void
        }
      })

      return BatchLines.of({ run })
    })
  )
}

/** Bytes of a value as JSON. `about`: of the text that it was read from. */
const writtenBytes = Effect.fnUntraced(function* (value: unknown, about: number) {
  const pieces = jsonPieces(value)
  for (let bytes = 0; ; ) {
    const piece = yield* ownTurn(about, () => Effect.sync(() => pieces.next()))
    if (piece.done === true) return bytes
    bytes += utf8Length(piece.value)
  }
})

const hex = (id: string): string => id.replaceAll("-", "")

const unauthenticated = ({ detail, reason }: Unauthenticated): InferenceRefused =>
  refuse(reason === "key_expired" ? "api_key_expired" : "invalid_api_key", { message: detail })

/** Why a line was refused; null where it was answered. A fault of our own is an answer too, and is logged. */
const refusalIn = (
  exit: Exit.Exit<void, ClaimLost | InferenceRefused | StorageError>
): Effect.Effect<InferenceRefused | null, ClaimLost | StorageError> => {
  if (Exit.isSuccess(exit)) return Effect.succeed(null)
  const error = Option.getOrNull(Cause.findErrorOption(exit.cause))
  if (error !== null) return error._tag === "InferenceRefused" ? Effect.succeed(error) : Effect.fail(error)
  if (Cause.hasInterruptsOnly(exit.cause)) return Effect.failCause(exit.cause as Cause.Cause<never>)
  return Effect.as(
    Effect.logError("a line of a batch failed", exit.cause),
    refuse("internal_error", { showsRequestId: true })
  )
}
