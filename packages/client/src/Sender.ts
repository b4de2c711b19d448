/** Sends requests: with the caller's key, within a time, and again where that is safe. */
import { ApiError, errorOf } from "./ApiError.ts"
import type { Prepared } from "./Request.ts"
import { nextTry } from "./Retry.ts"

export interface SenderOptions {
  /** Where the product is mounted: `https://example.com/phone`. In a browser a path of the page's own origin is enough. */
  readonly url: string
  /** An API key or a token, or a function that returns the present one. Without it the host's own sign-in must count. */
  readonly key?: string | (() => string | Promise<string>) | undefined
  /** What sends the requests. Default: the runtime's `fetch`. */
  readonly fetch?: ((url: string, request: RequestInit) => Promise<Response>) | undefined
  /** How often a request that may be repeated is tried again. Default 2. */
  readonly maxRetries?: number | undefined
  /** How long to wait for an answer to begin, in milliseconds. Default 600,000, as long answers of models take it. */
  readonly timeoutMs?: number | undefined
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** What the product's own headers begin with under its vendor's brand. Default `X-Service-`. */
  readonly headerPrefix?: string | undefined
}

export type Send = (request: Prepared) => Promise<Response>

const standardTimeoutMs = 600_000
const standardRetries = 2

const keyOf = ({ operation: { key }, options: { idempotencyKey } }: Prepared): string | null =>
  key === undefined ? null : (idempotencyKey ?? (key === "always" ? crypto.randomUUID() : null))

const waited = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stopped = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stopped)
      resolve()
    }, ms)
    signal?.addEventListener("abort", stopped, { once: true })
  })

const shown = ({ operation: { method }, target }: Prepared): string => `${method} ${target.split("?")[0]}`

/** Ends a request that takes too long to be answered; an answer that has begun takes as long as it takes. */
const within = async (
  ms: number,
  signal: AbortSignal | undefined,
  ask: (signal: AbortSignal) => Promise<Response>
): Promise<Response | "timed out"> => {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), ms)
  try {
    return await ask(signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]))
  } catch (error) {
    if (timeout.signal.aborted && !signal?.aborted) return "timed out"
    throw error
  } finally {
    clearTimeout(timer)
  }
}

export const makeSender = (given: SenderOptions): Send => {
  const { headerPrefix = "X-Service-", key, maxRetries = standardRetries, timeoutMs = standardTimeoutMs } = given
  const base = given.url.replace(/\/+$/, "")
  const fetch = given.fetch ?? ((url: string, request: RequestInit) => globalThis.fetch(url, request))

  const authorization = async (): Promise<Readonly<Record<string, string>>> => {
    const text = typeof key === "function" ? await key() : key
    return text === undefined ? {} : { authorization: `Bearer ${text}` }
  }

  /** One try: an answer of success, or why there is none. What the caller has ended is thrown as the caller's reason. */
  const once = async (request: Prepared, own: Readonly<Record<string, string>>): Promise<Response | ApiError> => {
    const { body, operation, options, target } = request
    const headers = { ...given.headers, ...(await authorization()), ...request.headers, ...own, ...options.headers }
    const ms = options.timeoutMs ?? timeoutMs
    try {
      const answer = await within(ms, options.signal, (signal) =>
        fetch(base + target, { method: operation.method, headers, signal, ...(body === null ? {} : { body }) })
      )
      if (answer === "timed out")
        return new ApiError(`${shown(request)} was not answered within ${ms} ms`, { status: 0, code: "timed_out" })
      return answer.ok ? answer : await errorOf(answer, shown(request), headerPrefix)
    } catch (cause) {
      options.signal?.throwIfAborted()
      const message = `${shown(request)} could not be sent to ${base}: ${cause instanceof Error ? cause.message : cause}`
      return new ApiError(message, { status: 0, code: "connection_failed", cause })
    }
  }

  return async (request) => {
    const { operation, options } = request
    options.signal?.throwIfAborted()
    const idempotencyKey = keyOf(request)
    const own = idempotencyKey === null ? {} : { "idempotency-key": idempotencyKey }
    const isRepeatable = operation.method !== "POST" || idempotencyKey !== null
    for (let nth = 0; ; nth++) {
      const answer = await once(request, own)
      if (!(answer instanceof ApiError)) return answer
      const ms = nextTry({ nth, isRepeatable, error: answer, chance: Math.random() }, options.maxRetries ?? maxRetries)
      if (ms === null) throw answer
      await waited(ms, options.signal)
    }
  }
}
