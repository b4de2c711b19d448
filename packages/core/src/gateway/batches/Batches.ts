/** Batches as callers make, read and cancel them. Source: docs/reference/batches.md. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import {
  type ClaimLost,
  Idempotency,
  requestFingerprint,
  type StoredResponse,
  type StoreResponse,
  storedJson
} from "../../platform/idempotency/index.ts"
import { Instant, traced, tracedFn } from "../../platform/kernel/index.ts"
import { roomFor, Storage, type StorageError } from "../../platform/storage/index.ts"
import { type InferenceRefused, refuse, refuseState } from "../errors/InferenceErrors.ts"
import { Files, fileIdOf } from "../files/index.ts"
import * as Ids from "../GatewayIds.ts"
import { limitRefusal } from "../run/InferenceRefusals.ts"
import { type RouteResult, runOnce } from "../run/RunOnce.ts"
import { type Batch, batchIdOf, cancel as cancelBatch, newBatch } from "./Batch.ts"
import { BatchEndpoints } from "./BatchEndpoints.ts"
import { BatchQueueStore } from "./BatchQueueStore.ts"
import { batchRecord } from "./BatchRecord.ts"
import { BatchSettings } from "./BatchSettings.ts"
import { BatchStore } from "./BatchStore.ts"

export interface NewBatch {
  readonly tenantId: Ids.AccountId
  readonly keyId: Ids.KeyId | null
  readonly endpoint: string
  /** In its public form. */
  readonly inputFileId: string
  readonly labels: Readonly<Record<string, string>> | null
  readonly idempotency: KeyedRequest | null
}

/** An Idempotency-Key, and the digest of the request that it stands for. */
interface KeyedRequest {
  readonly key: string
  readonly fingerprint: string
}

const sweepBatches = 20
const sweepLines = 500

export class Batches extends Context.Service<
  Batches,
  {
    /** Makes a batch of an uploaded file, which is kept until the batch has ended. Its record is the answer. */
    readonly create: (given: NewBatch) => Effect.Effect<RouteResult, InferenceRefused | StorageError>
    readonly get: (tenantId: Ids.AccountId, id: string) => Effect.Effect<Batch, InferenceRefused | StorageError>
    /** One batch more than the limit, where there are more. */
    readonly list: (
      tenantId: Ids.AccountId,
      page: { readonly after: Ids.BatchId | null; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<Batch>, StorageError>
    /** No further line begins. A batch that is cancelled already stays as it is; one that has ended otherwise is refused. Its record is the answer. */
    readonly cancel: (
      tenantId: Ids.AccountId,
      id: string,
      idempotencyKey: string | null
    ) => Effect.Effect<RouteResult, InferenceRefused | StorageError>
    /** Removes lines of batches that have ended, whose results are in files; returns of how many batches. */
    readonly sweep: Effect.Effect<number, StorageError>
  }
>()("@trunkline/core/gateway/batches/Batches") {
  static readonly layer = Layer.effect(
    Batches,
    Effect.gen(function* () {
      const endpoints = yield* BatchEndpoints
      const files = yield* Files
      const idempotency = yield* Idempotency
      const queue = yield* BatchQueueStore
      const { windowSeconds } = yield* BatchSettings
      const storage = yield* Storage
      const store = yield* BatchStore
      const roomForOne = yield* roomFor("openBatches")

      const add = Effect.fnUntraced(function* (given: NewBatch, fileId: Ids.FileId, storeResponse: StoreResponse) {
        const { endpoint, keyId, labels, tenantId } = given
        const at = yield* Instant.now
        yield* queue.add(tenantId, at)
        const file = yield* files.retain(tenantId, fileId)
        if (file === null) return yield* noInput
        if (file.purpose !== "batch") return yield* noInputOfBatches
        yield* Effect.catchTag(roomForOne(tenantId, queue.countOpen(tenantId)), "LimitReached", (error) =>
          Effect.fail(limitRefusal(error))
        )
        const id = yield* Ids.fresh<"Batch">()
        const batch = newBatch(
          { id, tenantId, keyId, endpoint, labels, inputFileId: fileId, inputBytes: file.bytes },
          windowSeconds,
          at
        )
        yield* store.add(batch)
        const response = storedJson(batchRecord(batch))
        yield* storeResponse(response)
        return response
      }, storage.transact)

      const made = (
        given: NewBatch,
        storeResponse: StoreResponse
      ): Effect.Effect<StoredResponse, ClaimLost | InferenceRefused | StorageError> => {
        if (endpoints.find(given.endpoint) === null) return Effect.fail(noEndpoint(given.endpoint))
        const fileId = fileIdOf(given.inputFileId)
        return fileId === null ? Effect.fail(noInput) : add(given, fileId, storeResponse)
      }

      const once = (
        tenantId: Ids.AccountId,
        keyed: KeyedRequest | null,
        work: (store: StoreResponse) => Effect.Effect<StoredResponse, ClaimLost | InferenceRefused | StorageError>
      ) => runOnce(idempotency, keyed === null ? null : { tenantId, ...keyed }, work)

      const create = flow(
        (given: NewBatch) => once(given.tenantId, given.idempotency, (storeResponse) => made(given, storeResponse)),
        traced("Batches.create")
      )

      const get = tracedFn("Batches.get")(function* (tenantId: Ids.AccountId, text: string) {
        const id = batchIdOf(text)
        const batch = id === null ? null : yield* storage.read(store.find(tenantId, id))
        return batch ?? (yield* noBatch)
      })

      const list = flow(
        (tenantId: Ids.AccountId, page: { readonly after: Ids.BatchId | null; readonly limit: number }) =>
          storage.read(store.list(tenantId, { ...page, limit: page.limit + 1 })),
        traced("Batches.list")
      )

      const stop = Effect.fnUntraced(function* (
        tenantId: Ids.AccountId,
        id: Ids.BatchId | null,
        storeResponse: StoreResponse
      ) {
        const batch = (id === null ? null : yield* store.lock(tenantId, id)) ?? (yield* noBatch)
        const cancelled = cancelBatch(batch, yield* Instant.now)
        if (Result.isFailure(cancelled)) {
          return yield* refuseState(
            `The batch has ended: it is ${cancelled.failure}. Only one that is open can be cancelled.`
          )
        }
        if (cancelled.success !== batch) yield* store.save(cancelled.success)
        const response = storedJson(batchRecord(cancelled.success))
        yield* storeResponse(response)
        return response
      }, storage.transact)

      const cancel = flow((tenantId: Ids.AccountId, text: string, key: string | null) => {
        const keyed = key === null ? null : { key, fingerprint: requestFingerprint("batches/cancel", text) }
        return once(tenantId, keyed, (storeResponse) => stop(tenantId, batchIdOf(text), storeResponse))
      }, traced("Batches.cancel"))

      const removeLines = Effect.fnUntraced(function* ({ id, tenantId }: Batch) {
        for (;;) {
          if ((yield* storage.transact(store.removeLines(id, sweepLines))) < sweepLines) break
        }
        yield* storage.transact(
          Effect.flatMap(store.lock(tenantId, id), (batch) =>
            batch === null ? Effect.void : store.save({ ...batch, sweepAt: null })
          )
        )
      })

      const sweep = Effect.gen(function* () {
        for (let swept = 0; ; ) {
          const ended = yield* storage.read(store.swept(yield* Instant.now, sweepBatches))
          yield* Effect.forEach(ended, removeLines, { discard: true })
          swept += ended.length
          if (ended.length < sweepBatches) return swept
        }
      }).pipe(traced("Batches.sweep"))

      return Batches.of({ create, get, list, cancel, sweep })
    })
  )
}

const noBatch = refuse("not_found", { message: "There is no such batch." })

const noInput = refuse("not_found", { message: "There is no such file.", param: "input_file_id" })

const noInputOfBatches = refuse("invalid_request", {
  message: "The file is no input of batches: its purpose must be batch.",
  param: "input_file_id"
})

const noEndpoint = (endpoint: string): InferenceRefused =>
  refuse("invalid_request", {
    message: `Batches of ${JSON.stringify(endpoint)} are not offered.`,
    param: "endpoint"
  })
