/** The result of encrypting secrets with another key, and what an operator does next. Pure. Source: docs/reference/operations.md#keys. */

interface Reencrypted {
  readonly reencrypted: number
  readonly unreadable: number
}

/** What the command prints that encrypts the stored secrets with the present key. */
export interface ReencryptionReport {
  readonly resealed: number
  readonly unreadable: number
  /** What to do next: a sentence. */
  readonly next: string
}

export const reencryptionReport = (
  { reencrypted, unreadable }: Reencrypted,
  hasPrevious: boolean
): ReencryptionReport => ({
  resealed: reencrypted,
  unreadable,
  next: nextOf(unreadable, hasPrevious)
})

const nextOf = (unreadable: number, hasPrevious: boolean): string => {
  if (unreadable > 0) {
    return "add the secret that the log's lines ask for to secrets.previous and run this again, or replace what they name"
  }
  return hasPrevious
    ? "remove secrets.previous from the configuration and restart the server: nothing needs it any more"
    : "nothing: all is sealed with the present secret"
}
