/** Files of an account: uploaded, listed, downloaded and deleted. Source: docs/reference/batches.md#files. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { type Plan, Plans, StoredBytes } from "../../platform/billing/index.ts"
import {
  type ClaimLost,
  Idempotency,
  type StoredResponse,
  type StoreResponse,
  storedJson
} from "../../platform/idempotency/index.ts"
import { Instant, traced, tracedFn } from "../../platform/kernel/index.ts"
import { lock, type Read, roomFor, Storage, type StorageError, type Tx } from "../../platform/storage/index.ts"
import { type InferenceRefused, refuse, refuseState } from "../errors/InferenceErrors.ts"
import * as Ids from "../GatewayIds.ts"
import { limitRefusal } from "../run/InferenceRefusals.ts"
import { type RouteResult, runOnce } from "../run/RunOnce.ts"
import { FileSettings } from "./FileSettings.ts"
import { type FileChunk, type FileList, FileStore } from "./FileStore.ts"
import { chunkBytes, FileWriter } from "./FileWriter.ts"
import {
  type FileFacts,
  fileRecord,
  isThere,
  readyFile,
  removedFile,
  reservedFile,
  type StoredFile,
  stagedFile
} from "./StoredFile.ts"
import type { UploadForm } from "./UploadForm.ts"
import { countRefusal, readUploadRequest, storageRefusal, type UploadRequest, uploadRefusal } from "./UploadRequest.ts"

/** A form whose file has been written. */
export interface FileUpload {
  readonly tenantId: Ids.AccountId
  readonly plan: Plan
  readonly form: UploadForm
  readonly writer: FileWriter
  readonly idempotencyKey: string | null
}

/** An upload under way. */
interface Receiving {
  readonly id: Ids.FileId
  readonly tenantId: Ids.AccountId
  readonly plan: Plan
}

/** Chunks after which what has been written of an upload is reserved: 8 MiB. */
const chunksPerReservation = 32

/** Chunks that are removed in one transaction: 4 MiB. */
const sweepChunks = 16
const sweepFiles = 20

export class Files extends Context.Service<
  Files,
  {
    /** Begins a file that no caller sees. Its bytes are removed when the scope closes, unless it is kept. */
    readonly open: (tenantId: Ids.AccountId) => Effect.Effect<FileWriter, never, Scope.Scope>
    /**
     * The same for an upload, beside few others of the account. Its bytes that are written count toward the plan's storage from every
     * 8 MiB on; what does not fit is not written.
     */
    readonly receive: (
      tenantId: Ids.AccountId,
      plan: Plan
    ) => Effect.Effect<FileWriter, InferenceRefused | StorageError, Scope.Scope>
    /** Shows an uploaded file to its account, where it fits; its record is the answer. Exact, however many upload side by side. */
    readonly upload: (upload: FileUpload) => Effect.Effect<RouteResult, InferenceRefused | StorageError>
    /**
     * Shows a written file to its account in the caller's transaction, also where the plan's storage is full. The caller sets `isKept`
     * after the commit.
     */
    readonly publish: (
      tenantId: Ids.AccountId,
      writer: FileWriter,
      facts: Omit<FileFacts, "bytes">
    ) => Effect.Effect<StoredFile, StorageError, Tx>
    readonly get: (
      tenantId: Ids.AccountId,
      id: Ids.FileId | null
    ) => Effect.Effect<StoredFile, InferenceRefused | StorageError>
    /** One file more than the limit, where there are more. */
    readonly list: (query: Omit<FileList, "at">) => Effect.Effect<ReadonlyArray<StoredFile>, StorageError>
    /** The bytes of a file that the caller has found, chunk by chunk from one on. Dies where the file is removed meanwhile. */
    readonly content: (
      file: Pick<StoredFile, "bytes" | "id">,
      fromChunk?: number
    ) => Stream.Stream<Uint8Array, StorageError>
    /** Removes a file; refused while a batch reads it. */
    readonly remove: (
      tenantId: Ids.AccountId,
      id: Ids.FileId | null
    ) => Effect.Effect<void, InferenceRefused | StorageError>
    /** Keeps the bytes of a file for a reader, also beyond its expiry; null where there is no such file. */
    readonly retain: (tenantId: Ids.AccountId, id: Ids.FileId) => Effect.Effect<StoredFile | null, StorageError, Tx>
    /** Ends what `retain` began: the reader needs the bytes no more. */
    readonly release: (tenantId: Ids.AccountId, id: Ids.FileId) => Effect.Effect<void, StorageError, Tx>
    /** Bytes of the plan's storage that are in use now. */
    readonly used: (tenantId: Ids.AccountId) => Effect.Effect<number, StorageError, Read>
    /** Removes the bytes of removed files; returns of how many files. */
    readonly sweep: Effect.Effect<number, StorageError>
  }
>()("@trunkline/core/gateway/files/Files") {
  static readonly layer = Layer.effect(
    Files,
    Effect.gen(function* () {
      const idempotency = yield* Idempotency
      const { maxBytes } = yield* FileSettings
      const storedBytes = yield* StoredBytes
      const roomForOne = yield* roomFor("files")
      const storage = yield* Storage
      const store = yield* FileStore
      // Chunks that a power cut loses belong to no file: the commit that shows one waits for the disk, and for all before it.
      const relaxed = storage.transactWith({ durability: "relaxed" })

      const stage = (file: Pick<StoredFile, "id" | "purpose" | "tenantId">) =>
        Effect.flatMap(Instant.now, (at) => store.add(stagedFile(file, at)))

      const removeBytes = Effect.fnUntraced(function* (id: Ids.FileId) {
        for (;;) {
          if ((yield* relaxed(store.removeBytes(id, sweepChunks))) < sweepChunks) return
        }
      })

      /** False where the file is not staged: its row has never been written, or it is removed already. */
      const unstage = Effect.fnUntraced(function* (tenantId: Ids.AccountId, id: Ids.FileId) {
        const staged = yield* store.lock(tenantId, id)
        if (staged?.status !== "staged") return false
        yield* store.save(removedFile(staged, yield* Instant.now))
        return true
      }, relaxed)

      const discard = Effect.fnUntraced(function* (tenantId: Ids.AccountId, id: Ids.FileId) {
        if (yield* unstage(tenantId, id)) yield* removeBytes(id)
      })

      /** Removes the bytes when the scope closes. */
      const discarding = (tenantId: Ids.AccountId, writer: FileWriter) =>
        Effect.addFinalizer(() =>
          writer.isKept
            ? Effect.void
            : Effect.catchCause(discard(tenantId, writer.id), (cause) =>
                Effect.logWarning("bytes of a file that is not kept stay until they are swept", cause)
              )
        )

      const open = Effect.fnUntraced(function* (tenantId: Ids.AccountId) {
        const id = yield* Ids.fresh<"File">()
        const writer = new FileWriter(id, (chunk) => {
          const add = store.addChunk(chunk)
          return relaxed(chunk.n === 0 ? Effect.andThen(stage({ id, tenantId, purpose: "batch_output" }), add) : add)
        })
        yield* discarding(tenantId, writer)
        return writer
      })

      const used = Effect.fnUntraced(function* (tenantId: Ids.AccountId) {
        return yield* storedBytes.used(tenantId, yield* Instant.now)
      })

      /** Why bytes do not fit beside those that are stored and those that other uploads have reserved; null where they do. */
      const lacking = Effect.fnUntraced(function* ({ id, plan, tenantId }: Receiving, bytes: number) {
        const { bytes: reserved } = yield* store.staged(tenantId, id, yield* Instant.now)
        const maxBytes = Plans.plans[plan].storageBytes
        return storageRefusal(bytes, { maxBytes, used: (yield* used(tenantId)) + reserved })
      })

      /** Reserves what has been written, in the transaction that writes on. */
      const reserve = Effect.fnUntraced(function* (upload: Receiving, bytes: number) {
        yield* lock("account", upload.tenantId)
        const refused = yield* lacking(upload, bytes)
        const staged = yield* store.lock(upload.tenantId, upload.id)
        if (refused === null && staged !== null) yield* store.save(reservedFile(staged, bytes, yield* Instant.now))
        return refused
      })

      const begin = Effect.fnUntraced(function* ({ id, tenantId }: Receiving) {
        yield* lock("account", tenantId)
        const refused = countRefusal((yield* store.staged(tenantId, id, yield* Instant.now)).n)
        if (refused !== null) return yield* refused
        yield* stage({ id, tenantId, purpose: "batch" })
      }, relaxed)

      const write = Effect.fnUntraced(function* (upload: Receiving, chunk: FileChunk) {
        const isReserved = (chunk.n + 1) % chunksPerReservation === 0
        const refused = isReserved ? yield* reserve(upload, chunk.n * chunkBytes + chunk.chunk.byteLength) : null
        if (refused === null) yield* store.addChunk(chunk)
        return refused
      }, relaxed)

      const receive = Effect.fnUntraced(function* (tenantId: Ids.AccountId, plan: Plan) {
        const upload: Receiving = { id: yield* Ids.fresh<"File">(), tenantId, plan }
        const writer: FileWriter = new FileWriter(upload.id, (chunk) =>
          writer.refused === null
            ? Effect.flatMap(write(upload, chunk), (refused) => {
                writer.refused = refused
                return refused === null ? Effect.void : discard(tenantId, upload.id)
              })
            : Effect.void
        )
        yield* discarding(tenantId, writer)
        yield* begin(upload)
        return writer
      })

      const publish = Effect.fnUntraced(function* (
        tenantId: Ids.AccountId,
        { id, size }: FileWriter,
        facts: Omit<FileFacts, "bytes">
      ) {
        const staged = yield* store.lock(tenantId, id)
        if (staged?.status !== "staged")
          return yield* Effect.die(new Error("a file took more than a day to be written"))
        const file = readyFile(staged, { ...facts, bytes: size }, yield* Instant.now)
        yield* store.save(file)
        return file
      })

      const accept = Effect.fnUntraced(function* (
        { plan, tenantId, writer }: FileUpload,
        { expiresAfterSeconds, filename, size }: UploadRequest,
        storeResponse: StoreResponse
      ) {
        yield* lock("account", tenantId)
        yield* Effect.catchTag(roomForOne(tenantId, store.count(tenantId)), "LimitReached", (error) =>
          Effect.fail(limitRefusal(error))
        )
        const refused = writer.refused ?? (yield* lacking({ id: writer.id, plan, tenantId }, size))
        if (refused !== null) return yield* refused
        const file = yield* publish(tenantId, writer, { filename, purpose: "batch", expiresAfterSeconds })
        const response = storedJson(fileRecord(file))
        yield* storeResponse(response)
        return response
      }, storage.transact)

      const checked = Effect.fnUntraced(function* (
        upload: FileUpload,
        request: UploadRequest,
        storeResponse: StoreResponse
      ): Effect.fn.Return<StoredResponse, InferenceRefused | ClaimLost | StorageError> {
        const refused = uploadRefusal(request, maxBytes)
        if (refused !== null) return yield* refused
        const response = yield* accept(upload, request, storeResponse)
        upload.writer.isKept = true
        return response
      })

      const upload = tracedFn("Files.upload")(function* (given: FileUpload) {
        const { idempotencyKey: key, tenantId } = given
        const request = yield* Effect.fromResult(readUploadRequest(given.form))
        const keyed = key === null ? null : { tenantId, key, fingerprint: request.fingerprint }
        return yield* runOnce(idempotency, keyed, (storeResponse) => checked(given, request, storeResponse))
      })

      const get = tracedFn("Files.get")(function* (tenantId: Ids.AccountId, id: Ids.FileId | null) {
        const file = id === null ? null : yield* storage.read(store.find(tenantId, id))
        return file !== null && isThere(file, yield* Instant.now) ? file : yield* noFile
      })

      const list = tracedFn("Files.list")(function* (query: Omit<FileList, "at">) {
        const at = yield* Instant.now
        return yield* storage.read(store.list({ ...query, at, limit: query.limit + 1 }))
      })

      const content = ({ bytes, id }: Pick<StoredFile, "bytes" | "id">, fromChunk = 0) =>
        bytes === 0
          ? Stream.empty
          : Stream.paginate(fromChunk, (n) =>
              Effect.map(storage.read(store.chunk(id, n)), (chunk) => {
                if (chunk === null) throw new Error("a file was removed while it was read")
                const isLast = (n + 1) * chunkBytes >= bytes
                return [[chunk], isLast ? Option.none<number>() : Option.some(n + 1)] as const
              })
            )

      const locked = Effect.fnUntraced(function* (tenantId: Ids.AccountId, id: Ids.FileId) {
        const file = yield* store.lock(tenantId, id)
        return file !== null && isThere(file, yield* Instant.now) ? file : null
      })

      const remove = tracedFn("Files.remove")(function* (tenantId: Ids.AccountId, id: Ids.FileId | null) {
        const file = id === null ? null : yield* locked(tenantId, id)
        if (file === null) return yield* noFile
        if (file.readers > 0)
          return yield* refuseState("A batch that has not ended reads this file. Cancel it, or wait.")
        yield* store.save(removedFile(file, yield* Instant.now))
      }, storage.transact)

      const retain = Effect.fnUntraced(function* (tenantId: Ids.AccountId, id: Ids.FileId) {
        const file = yield* locked(tenantId, id)
        if (file !== null) yield* store.save({ ...file, readers: file.readers + 1 })
        return file
      })

      const release = Effect.fnUntraced(function* (tenantId: Ids.AccountId, id: Ids.FileId) {
        const file = yield* store.lock(tenantId, id)
        if (file !== null) yield* store.save({ ...file, readers: Math.max(0, file.readers - 1) })
      })

      const sweep = Effect.gen(function* () {
        for (let swept = 0; ; ) {
          const due = yield* storage.read(store.due(yield* Instant.now, sweepFiles))
          yield* Effect.forEach(due, removeBytes, { discard: true })
          swept += due.length
          if (due.length < sweepFiles) return swept
        }
      }).pipe(traced("Files.sweep"))

      return Files.of({ open, receive, upload, publish, get, list, content, remove, retain, release, used, sweep })
    })
  )
}

const noFile = refuse("not_found", { message: "There is no such file." })
