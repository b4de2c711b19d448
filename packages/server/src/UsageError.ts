/** Something that whoever started the program can mend: told without a trace, and the program ends with 1. */
export class UsageError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = "UsageError"
  }
}
