/** What the errors of this room are to callers: the status of the HTTP interface and the code. */
export const storageErrors = {
  LimitReached: { status: 409, code: "limit_reached" },
  StorageError: { status: 503, code: "storage_error" }
} as const
