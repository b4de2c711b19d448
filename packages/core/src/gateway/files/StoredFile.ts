/** A file of an account, and how it is shown. Pure. Source: docs/reference/batches.md#files. */
import * as Schema from "effect/Schema"
import { Instant } from "../../platform/kernel/index.ts"
import * as Ids from "../GatewayIds.ts"

/** `batch` is uploaded, `batch_output` made here. */
export const filePurposes = ["batch", "batch_output"] as const
type FilePurpose = (typeof filePurposes)[number]

/**
 * - `staged`  its bytes are still coming, and nobody sees it
 * - `ready`   it is there, until it expires
 * - `removed` its bytes are still to be removed
 */
export const fileEntity = Schema.Struct({
  id: Ids.schema<"File">(),
  tenantId: Ids.schema<"Account">(),
  status: Schema.Literals(["staged", "ready", "removed"]),
  purpose: Schema.Literals(filePurposes),
  filename: Schema.String,
  bytes: Schema.Int,
  /** Batches that read it and have not ended. */
  readers: Schema.Int,
  createdAt: Instant.Iso,
  expiresAt: Schema.NullOr(Instant.Iso),
  /** The instant from which its bytes may be removed; null for never. */
  sweepAt: Schema.NullOr(Instant.Iso)
})
export interface StoredFile extends Schema.Struct.Type<typeof fileEntity.fields> {}

/** How long an output may be written. Then its bytes are removed, since its process may have died. */
const outputMs = Instant.day

/** The same of an upload, from its last reservation on: 8 MiB come within 22 minutes, or the client is too slow. */
const uploadMs = 30 * Instant.minute

const stagedMs: Readonly<Record<FilePurpose, number>> = { batch: uploadMs, batch_output: outputMs }

export const stagedFile = (
  { id, purpose, tenantId }: Pick<StoredFile, "id" | "purpose" | "tenantId">,
  at: Instant.Instant
): StoredFile => ({
  id,
  tenantId,
  status: "staged",
  purpose,
  filename: "",
  bytes: 0,
  readers: 0,
  createdAt: at,
  expiresAt: null,
  sweepAt: Instant.plus(at, stagedMs[purpose])
})

/** An upload of which `bytes` have been written. */
export const reservedFile = (file: StoredFile, bytes: number, at: Instant.Instant): StoredFile => ({
  ...file,
  bytes,
  sweepAt: Instant.plus(at, stagedMs[file.purpose])
})

/** What a staged file becomes. */
export interface FileFacts extends Pick<StoredFile, "bytes" | "filename" | "purpose"> {
  /** After its creation; null for never. */
  readonly expiresAfterSeconds: number | null
}

export const readyFile = (
  { id, tenantId }: Pick<StoredFile, "id" | "tenantId">,
  { expiresAfterSeconds, ...facts }: FileFacts,
  at: Instant.Instant
): StoredFile => {
  const expiresAt = expiresAfterSeconds === null ? null : Instant.plus(at, expiresAfterSeconds * Instant.second)
  return { id, tenantId, ...facts, status: "ready", readers: 0, createdAt: at, expiresAt, sweepAt: expiresAt }
}

export const removedFile = (file: StoredFile, at: Instant.Instant): StoredFile => ({
  ...file,
  status: "removed",
  sweepAt: at
})

/** Whether callers see it. From the instant of its expiry on it is gone, whenever its bytes are removed. */
export const isThere = ({ expiresAt, status }: StoredFile, at: Instant.Instant): boolean =>
  status === "ready" && (expiresAt === null || expiresAt > at)

const prefix = "file-"

export const publicFileId = (id: Ids.FileId): string => `${prefix}${id.replaceAll("-", "")}`

/** The id behind its public form; null where it is none. */
export const fileIdOf = (text: string): Ids.FileId | null => {
  const [, a, b, c, d, e] = /^file-([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(text) ?? []
  return a === undefined ? null : Ids.as(`${a}-${b}-${c}-${d}-${e}`)
}

const seconds = (at: Instant.Instant): number => Math.floor(at / Instant.second)

/** The record of a file under the names of the wire. */
export const fileRecord = ({ bytes, createdAt, expiresAt, filename, id, purpose }: StoredFile) => ({
  id: publicFileId(id),
  object: "file" as const,
  bytes,
  created_at: seconds(createdAt),
  expires_at: expiresAt === null ? null : seconds(expiresAt),
  filename,
  purpose,
  status: "processed" as const,
  status_details: null
})
