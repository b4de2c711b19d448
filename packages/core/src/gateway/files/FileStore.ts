/** Port: files and their bytes, in chunks of one size; the last chunk may be smaller. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../GatewayIds.ts"
import type { StoredFile } from "./StoredFile.ts"

export interface FileChunk {
  readonly fileId: Ids.FileId
  /** From 0. */
  readonly n: number
  readonly chunk: Uint8Array
}

/** Uploads that are under way. */
export interface StagedFiles {
  readonly n: number
  readonly bytes: number
}

/** A page of the files that an account sees. */
export interface FileList {
  readonly tenantId: Ids.AccountId
  readonly at: Instant.Instant
  readonly purposes: ReadonlyArray<string>
  readonly order: "asc" | "desc"
  /** The id before the page, which may be gone; null for the first page. */
  readonly after: Ids.FileId | null
  readonly limit: number
}

export class FileStore extends Context.Service<
  FileStore,
  {
    readonly add: (file: StoredFile) => Effect.Effect<void, StorageError, Tx>
    readonly addChunk: (chunk: FileChunk) => Effect.Effect<void, StorageError, Tx>
    /** A file in any status. */
    readonly find: (tenantId: Ids.AccountId, id: Ids.FileId) => Effect.Effect<StoredFile | null, StorageError, Read>
    /** Locks the file until the end of the transaction, and returns it as it is then, in any status. */
    readonly lock: (tenantId: Ids.AccountId, id: Ids.FileId) => Effect.Effect<StoredFile | null, StorageError, Tx>
    /** Writes a locked file. */
    readonly save: (file: StoredFile) => Effect.Effect<void, StorageError, Tx>
    /** Files that are there at an instant, in the order of their ids. */
    readonly list: (query: FileList) => Effect.Effect<ReadonlyArray<StoredFile>, StorageError, Read>
    /** Files of the account that are there, those that have expired and are not removed yet included. */
    readonly count: (tenantId: Ids.AccountId) => Effect.Effect<number, StorageError, Read>
    /** Bytes of the account's files that are there at an instant. Exact under the account's lock. */
    readonly used: (tenantId: Ids.AccountId, at: Instant.Instant) => Effect.Effect<number, StorageError, Read>
    /** Uploads of the account that are under way at an instant, but for one, and the bytes that they have reserved. Exact under the account's lock. */
    readonly staged: (
      tenantId: Ids.AccountId,
      but: Ids.FileId,
      at: Instant.Instant
    ) => Effect.Effect<StagedFiles, StorageError, Read>
    /** The bytes of one chunk; null where there is none. */
    readonly chunk: (fileId: Ids.FileId, n: number) => Effect.Effect<Uint8Array | null, StorageError, Read>
    /** Files without readers whose bytes may be removed at an instant, soonest first. */
    readonly due: (at: Instant.Instant, limit: number) => Effect.Effect<ReadonlyArray<Ids.FileId>, StorageError, Read>
    /** Removes up to `limit` chunks of a file, and the file where fewer are left; returns how many were removed. */
    readonly removeBytes: (fileId: Ids.FileId, limit: number) => Effect.Effect<number, StorageError, Tx>
  }
>()("@trunkline/core/gateway/files/FileStore") {}
