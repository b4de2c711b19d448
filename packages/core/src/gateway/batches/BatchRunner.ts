/** Moves one batch on, step by step, for the process that has its account. Source: docs/reference/batches.md#status. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import type { ClaimLost } from "../../platform/idempotency/index.ts"
import { Instant, tracedFn } from "../../platform/kernel/index.ts"
import { Storage, type StorageError, type Tx } from "../../platform/storage/index.ts"
import { DirectRequests } from "../admission/DirectRequests.ts"
import { Files, type FileWriter } from "../files/index.ts"
import * as Ids from "../GatewayIds.ts"
import { type Batch, checked, endOf, faulty, finalizing, isEnded, publicBatchId, stepOf, stopOf } from "./Batch.ts"
import { BatchInput, type InputLine } from "./BatchInput.ts"
import { type BatchLine, unrunLine } from "./BatchLine.ts"
import { BatchLines } from "./BatchLines.ts"
import { BatchSettings } from "./BatchSettings.ts"
import { BatchStore, type LinesAfter } from "./BatchStore.ts"

interface BatchRun {
  readonly tenantId: Ids.AccountId
  readonly batchId: Ids.BatchId
  /** Fails with `ClaimLost` where another process has the account; else nobody can claim it before the transaction ends. */
  readonly fence: Effect.Effect<void, ClaimLost | StorageError, Tx>
  /** Shared by all batches of the account: one permit for each line that runs. */
  readonly slots: Semaphore.Semaphore
  /** True when no line may begin any more: the batch is cancelled or has expired, or the process stops. */
  readonly isStopped: () => boolean
  /** Ends when it becomes true: with true where the batch ends, with false where the process does. */
  readonly stopped: Effect.Effect<boolean>
  /** Completes at once while the claim is valid; else when it has been renewed. */
  readonly claimRenewed: Effect.Effect<void>
  /** True when the process stops. */
  readonly isProcessStopping: () => boolean
}

/** Lines that are added in one transaction. */
const linesInPart = 500
/** Lines that are removed in one transaction. */
const removedInPart = 500
/** Lines that are read at a time to be run. */
const pendingPage = 100
/** Results that are in memory at a time: each may be of several megabytes. */
const resultPage = 20

const resultDays = 30

/** After a failure of the storage. */
const retryMs = Instant.second

export class BatchRunner extends Context.Service<
  BatchRunner,
  {
    /** Ends when the batch has ended, when the process stops, or when the process has lost the account. */
    readonly run: (run: BatchRun) => Effect.Effect<void, ClaimLost | StorageError>
  }
>()("@trunkline/core/gateway/batches/BatchRunner") {
  static readonly layer = Layer.effect(
    BatchRunner,
    Effect.gen(function* () {
      const files = yield* Files
      const lines = yield* BatchLines
      const { concurrency, maxRequests } = yield* BatchSettings
      const direct = yield* DirectRequests
      const storage = yield* Storage
      const store = yield* BatchStore

      /** Changes the batch in a transaction of the process that has it; null where it has ended. */
      const change = <E = never>(
        { batchId, fence, tenantId }: BatchRun,
        decide: (batch: Batch, at: Instant.Instant) => Effect.Effect<Batch, E | StorageError, Tx> | Batch
      ) =>
        storage.transact(
          Effect.gen(function* () {
            yield* fence
            const batch = yield* store.lock(tenantId, batchId)
            if (batch === null || isEnded(batch)) return null
            const decided = decide(batch, yield* Instant.now)
            const next = Effect.isEffect(decided) ? yield* decided : decided
            yield* store.save(next)
            return next
          })
        )

      const removeLines = Effect.fnUntraced(function* ({ batchId, fence }: BatchRun) {
        for (;;) {
          const removed = yield* storage.transact(Effect.andThen(fence, store.removeLines(batchId, removedInPart)))
          if (removed < removedInPart) return
        }
      })

      const addLines = ({ batchId, fence }: BatchRun, added: ReadonlyArray<InputLine>) =>
        storage.transact(
          Effect.andThen(
            fence,
            store.addLines(added.map((line) => ({ ...line, batchId, outcome: null, result: null })))
          )
        )

      /** Reads the whole input into lines, and begins or fails the batch. */
      const check = Effect.fnUntraced(function* (run: BatchRun, batch: Batch) {
        // Those of a process that died while it checked.
        yield* removeLines(run)
        const input = new BatchInput({ endpoint: batch.endpoint, maxRequests })
        const chunks = files.content({ id: batch.inputFileId, bytes: batch.inputBytes })
        yield* chunks.pipe(
          // On SQLite a read does not yield to the event loop by itself.
          Stream.mapEffect((chunk) => Effect.as(Effect.yieldNow, input.add(chunk))),
          Stream.takeUntil(() => input.isSettled),
          Stream.concat(Stream.sync(() => input.end())),
          Stream.flatMap((added) => Stream.fromIterable(added)),
          Stream.grouped(linesInPart),
          Stream.runForEach((added) => (input.faults.length > 0 ? Effect.void : addLines(run, added)))
        )
        const { faults, total } = input
        yield* change(run, (locked, at) =>
          faults.length === 0
            ? checked(locked, total, at)
            : Effect.as(files.release(locked.tenantId, locked.inputFileId), faulty(locked, faults, at))
        )
      })

      const pages = (read: (page: LinesAfter) => ReturnType<typeof store.lines>, batchId: Ids.BatchId, limit: number) =>
        Stream.paginate(0, (after) =>
          Effect.map(storage.read(read({ batchId, after, limit })), (page) => {
            const last = page.length < limit ? Option.none<number>() : Option.some(page.at(-1)!.n)
            return [page, last] as const
          })
        )

      /** Whether a line may begin now: none does after a cancellation was answered, by this process or another. */
      const mayBegin = Effect.fnUntraced(function* ({ batchId, claimRenewed, isStopped, tenantId }: BatchRun) {
        yield* direct.giveWay
        // Where the process stood still, another one may run the line by now, and a model is paid for each answer.
        yield* claimRenewed
        if (isStopped()) return false
        const batch = yield* storage.read(store.find(tenantId, batchId))
        return batch !== null && stopOf(batch, yield* Instant.now) === null
      })

      /** Runs the lines that have no result. */
      const runLines = Effect.fnUntraced(function* (run: BatchRun, batch: Batch) {
        const { fence, claimRenewed, isStopped, slots, stopped } = run
        const begin = (line: BatchLine) =>
          slots.withPermit(
            Effect.flatMap(mayBegin(run), (may) =>
              may ? lines.run({ batch, line, fence, claimRenewed, stopped }) : Effect.void
            ).pipe(
              // The line stays pending. The others, whose upstreams are being paid, run on.
              Effect.catchTag("StorageError", (error) =>
                Effect.andThen(
                  Effect.logWarning("a line of a batch waits for the storage", error),
                  Effect.sleep(retryMs)
                )
              )
            )
          )
        yield* pages(store.pending, batch.id, pendingPage).pipe(
          Stream.takeWhile(() => !isStopped()),
          Stream.mapEffect(begin, { concurrency, unordered: true }),
          Stream.runDrain
        )
        if (isStopped()) return
        const left = yield* storage.read(store.pending({ batchId: batch.id, after: 0, limit: 1 }))
        if (left.length === 0) yield* change(run, finalizing)
      })

      /** Writes the files of results: each line of the input once. */
      const writeResults = Effect.fnUntraced(function* (
        batch: Batch,
        stop: ReturnType<typeof stopOf>,
        output: FileWriter,
        errors: FileWriter
      ) {
        const next = yield* Ids.source
        const utf8 = new TextEncoder()
        yield* pages(store.lines, batch.id, resultPage).pipe(
          Stream.runForEach((line) => {
            const { customId, outcome, result } = line
            const text = result ?? unrunLine({ customId, id: next().replaceAll("-", "") }, stop ?? "batch_expired")
            const file = outcome === "succeeded" ? output : errors
            file.add(utf8.encode(`${text}\n`))
            return file.flush
          })
        )
        yield* output.end
        yield* errors.end
      })

      const end = Effect.fnUntraced(function* (run: BatchRun, batch: Batch) {
        const { tenantId } = run
        const output = yield* files.open(tenantId)
        const errors = yield* files.open(tenantId)
        const stop = stopOf(batch, yield* Instant.now)
        yield* writeResults(batch, stop, output, errors)
        const publish = (writer: FileWriter, kind: string) =>
          writer.size === 0
            ? Effect.succeed(null)
            : Effect.map(
                files.publish(tenantId, writer, {
                  filename: `${publicBatchId(batch.id)}_${kind}.jsonl`,
                  purpose: "batch_output",
                  expiresAfterSeconds: (resultDays * Instant.day) / Instant.second
                }),
                ({ id }) => id
              )
        const saved = yield* change(run, (locked, at) =>
          Effect.gen(function* () {
            // Cancelled meanwhile: the results say otherwise, and are written again.
            if (locked.status !== batch.status) return locked
            const outputFileId = yield* publish(output, "output")
            const errorFileId = yield* publish(errors, "error")
            yield* files.release(tenantId, locked.inputFileId)
            return endOf(locked, { outputFileId, errorFileId }, at)
          })
        )
        const isKept = saved !== null && isEnded(saved)
        output.isKept = isKept
        errors.isKept = isKept
      }, Effect.scoped)

      const run = tracedFn("BatchRunner.run")(function* (given: BatchRun) {
        const { batchId, isProcessStopping, tenantId } = given
        for (;;) {
          const batch = yield* storage.read(store.find(tenantId, batchId))
          if (batch === null || isEnded(batch) || isProcessStopping()) return
          const step = stepOf(batch, yield* Instant.now)
          if (step === "check") yield* check(given, batch)
          else if (step === "run") yield* runLines(given, batch)
          else yield* end(given, batch)
        }
      })

      return BatchRunner.of({ run })
    })
  )
}
