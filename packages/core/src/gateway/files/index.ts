/**
 * Decides what a file is, who sees it, and whether it fits into the plan's storage.
 *
 * Promises  FILE-1 a file is there with its last byte, for every process at once, or not at all.
 *           FILE-2 of uploads side by side exactly those pass that the plan's storage has room for; deletion frees at once.
 *           FILE-3 a file is read and written in chunks, and is never whole in memory.
 *           FILE-4 an expired or deleted file is gone for every caller at that instant, whenever its bytes are removed.
 *           FILE-5 one Idempotency-Key stores one file.
 * Needs     FileStore, Idempotency, FileSettings.  Emits  nothing.
 * Not here  what is in a file (batches).
 * Read      StoredFile.ts, then FileWriter.ts, Files.ts and UploadForm.ts. Source: docs/reference/batches.md#files.
 */

export { FileSettings } from "./FileSettings.ts"
export { type FileChunk, type FileList, FileStore } from "./FileStore.ts"
export { Files, type FileUpload } from "./Files.ts"
export { Room, storedBytes } from "./FilesRoom.ts"
export { chunkBytes, FileWriter } from "./FileWriter.ts"
export { fileEntity, fileIdOf, publicFileId, type StoredFile } from "./StoredFile.ts"
