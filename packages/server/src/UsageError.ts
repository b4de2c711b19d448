/** An error that the operator can fix: printed without a trace, and the exit code is 1. */
export class UsageError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = "UsageError"
  }
}
