/** Ids as the gateway names them: those of the platform, and those of its records. Pure. */
import type { Id } from "../platform/PlatformIds.ts"

export * from "../platform/PlatformIds.ts"

export type FileId = Id<"File">
export type BatchId = Id<"Batch">
