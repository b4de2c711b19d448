/** How a family of routes answers errors, as the OpenAPI document describes it. The room whose envelope it is declares it. */
/** The body that some errors of the contract share, as one component of the document. */
export interface ErrorBody {
  readonly name: string
  /** The classes of errors that have it. Left out: schemas have its name. */
  readonly classes?: ReadonlyArray<{ readonly identifier: string }>
  /** Descriptions of the fields. */
  readonly fields: Readonly<Record<string, string>>
}

/** A component of the document for a status. Where a status has several, the one whose bodies a route declares is meant. */
export interface ErrorResponse {
  readonly status: number
  readonly name: string
  readonly description: string
  /** A header that the response has beside those of every response. */
  readonly header?: string
  /** Names of bodies; absent for the envelope's first. */
  readonly bodies?: ReadonlyArray<string>
}

export interface ErrorEnvelope {
  /** Prefix of the names of responses. */
  readonly prefix: string
  readonly bodies: ReadonlyArray<ErrorBody>
  readonly responses: ReadonlyArray<ErrorResponse>
  /** Headers of every response of the family. */
  readonly headers: ReadonlyArray<string>
  /** True of the platform's routes: the code of an error stands in a header, and an Idempotency-Key is read before the handler. */
  readonly isPlatform: boolean
}
