/**
 * Fetches the key set of the host's sign-in as webhooks are sent: redirects are not followed, 64 KiB are read, interim answers are
 * read past. The operator chose the URL, so that any address may be called. Source: docs/reference/access.md#tokens.
 */
import * as Effect from "effect/Effect"
import { Instant } from "../kernel/index.ts"
import { type Outbound, OutboundFailed } from "../outbound/index.ts"
import type * as Tokens from "./Tokens.ts"

/** The request whose token waits for the answer leaves before. */
const remainingMs = 10 * Instant.second

const noBody = new Uint8Array()

const noAddress = new OutboundFailed({ reason: "name", detail: "The host name of the key set has no address." })

export const keySetFetch =
  ({ request, resolve }: Outbound["Service"]): Tokens.FetchKeys =>
  (address, { headers, method, signal }) => {
    const url = new URL(address)
    const asked = { url, method, headers: Object.fromEntries(headers), body: noBody, remainingMs }
    const fetched = Effect.gen(function* () {
      const [first, ...others] = yield* resolve(url.hostname.replace(/^\[|\]$/g, ""))
      if (first === undefined) return yield* noAddress
      const { body, status } = yield* Effect.firstSuccessOf(
        [first, ...others].map((address) => request({ ...asked, address }))
      )
      return new Response(status === 200 ? new Uint8Array(body) : null, { status: status === 200 ? 200 : 502 })
    })
    return Effect.runPromise(fetched, { signal })
  }
