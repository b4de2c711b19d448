/** A `fetch` whose answers a test has written, with a log of what was asked. */

export interface Asked {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** An answer, or what goes wrong instead of one. */
export type Outcome = Response | Error | "never"

export const json = (
  body: unknown,
  { headers, status = 200 }: { headers?: Record<string, string>; status?: number } = {}
) =>
  new Response(body === undefined ? null : JSON.stringify(body), {
    status,
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers }
  })

/** Answers in their order; the last one answers all that follows. */
export const fakeFetch = (...outcomes: Array<Outcome | ((asked: Asked) => Outcome)>) => {
  const log: Array<Asked> = []
  const fetch = (url: string, { body = null, headers, method, signal }: RequestInit): Promise<Response> => {
    const asked = { url, method: method!, headers: headers as Record<string, string>, body }
    const outcome = outcomes[Math.min(log.length, outcomes.length - 1)]!
    log.push(asked)
    const found = typeof outcome === "function" ? outcome(asked) : outcome
    if (found instanceof Error) return Promise.reject(found)
    if (found !== "never") return Promise.resolve(found.clone())
    return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)))
  }
  return { fetch, log }
}
