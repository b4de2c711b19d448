/** Looks names up as the system does: its hosts file, its search list, its order. */
import type { LookupAddress } from "node:dns"
import { lookup } from "node:dns/promises"
import type { OutboundFailed } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import { nameFailure } from "./OutboundErrors.ts"

const system = (host: string) => lookup(host, { all: true, order: "verbatim" })

/**
 * Finds all addresses of a name. Requests during a look-up share it: look-ups wait in the few threads
 * that Node has for them and cannot be called off, and one name that hangs must not occupy more than one.
 */
export const resolver = (look: (host: string) => Promise<ReadonlyArray<LookupAddress>> = system) => {
  const underWay = new Map<string, Promise<ReadonlyArray<LookupAddress>>>()
  const begin = (host: string) => {
    const found = look(host).finally(() => underWay.delete(host))
    underWay.set(host, found)
    return found
  }
  return (host: string): Effect.Effect<ReadonlyArray<string>, OutboundFailed> =>
    Effect.tryPromise({ try: () => underWay.get(host) ?? begin(host), catch: nameFailure }).pipe(
      Effect.map((found) => found.map(({ address }) => address))
    )
}
