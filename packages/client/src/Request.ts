/** Makes a request from a route and the arguments of its method. Pure. */
import { type Operation, parametersOf } from "./Operation.ts"

/** What a caller may say of one request. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined
  /** How long to wait for the answer to begin, in milliseconds. Default: the client's. */
  readonly timeoutMs?: number | undefined
  /** How often to try again. Default: the client's. */
  readonly maxRetries?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** What a caller may say of a request that the product runs once for each key. */
export interface KeyedRequestOptions extends RequestOptions {
  /** The same text for every try of the same deed, by this process and by the next. Source: docs/reference/http-conventions.md#idempotency. */
  readonly idempotencyKey?: string | undefined
}

/** What a field of a form may be. A `File` has a name, which some models need. */
export type FormFile = Blob | Uint8Array<ArrayBuffer>

/** The answer of a route that gives a file; its body has not been read. */
export type FileResponse = Response

type Fields = Readonly<Record<string, unknown>>

export interface Prepared {
  readonly operation: Operation
  /** Path and query, below the mount point. */
  readonly target: string
  readonly body: string | FormData | null
  readonly headers: Readonly<Record<string, string>>
  readonly options: KeyedRequestOptions
}

/** A part of a path. A dot alone would be resolved away, and another route would be asked. */
const segmentOf = (name: string, value: unknown): string => {
  const text = typeof value === "number" ? String(value) : value
  if (typeof text !== "string" || text === "" || text === "." || text === "..")
    throw new TypeError(`${name} must be the id of a record, and it is ${JSON.stringify(value)}`)
  return encodeURIComponent(text)
}

const written = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value))

const isGiven = ([, value]: readonly [string, unknown]): boolean => value !== undefined && value !== null

const queryOf = (fields: Fields): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields).filter(isGiven)) {
    for (const one of [value].flat()) query.append(name, written(one))
  }
  const text = query.toString()
  return text === "" ? "" : `?${text}`
}

const formOf = (fields: Fields): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields).filter(isGiven)) {
    for (const one of [value].flat()) {
      if (one instanceof Blob) form.append(name, one)
      else if (one instanceof Uint8Array) form.append(name, new Blob([one as Uint8Array<ArrayBuffer>]))
      else form.append(name, typeof one === "object" && !(one instanceof Date) ? JSON.stringify(one) : written(one))
    }
  }
  return form
}

/** The arguments are those of the path, then what the route takes, then the options. */
export const prepared = (operation: Operation, given: ReadonlyArray<unknown>): Prepared => {
  const { path, takes = [] } = operation
  const names = parametersOf(path)
  const parts = names.map((name, nth) => [`{${name}}`, segmentOf(name, given[nth])] as const)
  const taken = (kind: "query" | "json" | "form"): Fields | null =>
    takes.includes(kind) ? ((given[names.length + takes.indexOf(kind)] ?? {}) as Fields) : null
  const [query, json, form] = [taken("query"), taken("json"), taken("form")]
  return {
    operation,
    target: parts.reduce((text, [place, part]) => text.replace(place, () => part), path) + queryOf(query ?? {}),
    body: json === null ? (form === null ? null : formOf(form)) : JSON.stringify(json),
    headers: json === null ? {} : { "content-type": "application/json" },
    options: (given[names.length + takes.length] ?? {}) as KeyedRequestOptions
  }
}
