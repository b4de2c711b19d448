/** The one error of the client. */

/** The fault of one field of a request. */
export interface InvalidField {
  /** Where the field stands: `body`, `query`, `path` or `header`, then its name and the places within it. */
  readonly path: ReadonlyArray<string | number>
  /** A sentence for people. */
  readonly message: string
}

interface About {
  readonly status: number
  readonly code: string
  readonly fields?: ReadonlyArray<InvalidField>
  readonly requestId?: string | null
  readonly retryAfterSeconds?: number | null
  readonly body?: unknown
  readonly cause?: unknown
}

/**
 * A request that was not answered with success. `code` names the error and never changes; the message is a sentence that says
 * what to do; `fields` has every field that is to blame, where fields are. Source: docs/reference/errors.md.
 */
export class ApiError extends Error {
  /** The status of the answer; 0 where there is none, and then the code is `connection_failed` or `timed_out`. */
  readonly status: number
  readonly code: string
  readonly fields: ReadonlyArray<InvalidField>
  /** The id by which the operator finds the request in the log. */
  readonly requestId: string | null
  /** How many seconds to wait before the next try; null where the answer does not say. */
  readonly retryAfterSeconds: number | null
  /** The answer's body: its JSON, or its text. */
  readonly body: unknown

  constructor(message: string, about: About) {
    super(message, about.cause === undefined ? undefined : { cause: about.cause })
    this.name = "ApiError"
    this.status = about.status
    this.code = about.code
    this.fields = about.fields ?? []
    this.requestId = about.requestId ?? null
    this.retryAfterSeconds = about.retryAfterSeconds ?? null
    this.body = about.body
  }
}

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** What an error's body says, in any of the product's envelopes. Source: docs/reference/errors.md. */
const read = (
  body: unknown
): { readonly message?: string; readonly code?: string; readonly fields?: About["fields"] } => {
  if (!isObject(body)) return {}
  const { detail, error } = body
  if (Array.isArray(detail)) return readFields(detail)
  if (isObject(detail)) return defined({ message: textOf(detail.error), code: textOf(detail.reason) })
  if (isObject(error)) return readInference(error)
  return defined({ message: textOf(detail) })
}

const readFields = (detail: ReadonlyArray<unknown>) => {
  const fields = detail.filter(isObject).map(({ loc, msg }) => ({
    path: Array.isArray(loc) ? (loc as ReadonlyArray<string | number>) : [],
    message: String(msg)
  }))
  const sentences = fields.map(({ message, path }) => `${path.join(".")}: ${message}`)
  return { message: sentences.join("; "), fields }
}

const readInference = ({ code, message, param }: Fields) => {
  const text = textOf(message)
  const field = textOf(param)
  const fields = field === undefined || text === undefined ? undefined : [{ path: ["body", field], message: text }]
  return defined({ message: text, code: typeof code === "number" ? String(code) : textOf(code), fields })
}

const defined = <A extends Fields>(record: A): { readonly [K in keyof A]?: Exclude<A[K], undefined> } =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as never

/** An error that a stream reports after it has begun, in either of its two forms. */
export const streamError = (data: unknown, { headers, status }: Response): ApiError | null => {
  if (!isObject(data) || !isObject(data.error)) return null
  const { code = "stream_failed", message = "The stream has failed" } = read(data)
  return new ApiError(message, { status, code, requestId: headers.get("x-request-id"), body: data })
}

/** The JSON of a text, or the text where it is none. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Reads an answer that is no success. The product's own headers begin with the prefix of its brand. */
export const errorOf = async (response: Response, what: string, headerPrefix: string): Promise<ApiError> => {
  const { headers, status } = response
  const body = parsed(await response.text().catch(() => ""))
  const { code, fields = [], message } = read(body)
  const seconds = Number(headers.get("retry-after") ?? Number.NaN)
  return new ApiError(message ?? `${what} was answered with ${status}`, {
    ...{ status, fields, body },
    code: headers.get(`${headerPrefix}Error`) ?? code ?? `status_${status}`,
    requestId: headers.get("x-request-id"),
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : null
  })
}
