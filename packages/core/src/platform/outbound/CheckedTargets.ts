/** Finds the one address that a URL is requested at, once the address policy has passed all that its host resolves to. */
import * as Effect from "effect/Effect"
import { LruCache } from "../kernel/index.ts"
import { checkAddresses, type Network, type Reading, readUrl, type Target } from "./AddressPolicy.ts"
import type { Outbound } from "./Outbound.ts"

/** Results that are remembered: the same URL and the same addresses are checked alike as long as the settings stay. */
const maxRemembered = 1000

/** A URL with an address that may be called at this instant. */
export interface CheckedTarget {
  readonly url: URL
  readonly address: string
}

/** The checks of one process, which lead to no address in a network that is neither public nor exempt. */
export const checkedTargets = (outbound: Pick<Outbound["Service"], "resolve">, exempt: ReadonlyArray<Network>) => {
  const targets = new LruCache<string, ReturnType<typeof readUrl>>(maxRemembered)
  const checks = new LruCache<string, ReturnType<typeof checkAddresses>>(maxRemembered)

  /** All of a URL that can be checked without resolving its host. */
  const read = (schemes: Reading["schemes"], url: string) =>
    Effect.fromResult(targets.of(`${schemes} ${url}`, () => readUrl(url, { schemes, exempt })))

  /** The addresses of a target, each of them checked. */
  const resolved = Effect.fnUntraced(function* (target: Target) {
    const found = target.literal === null ? yield* outbound.resolve(target.host) : [target.literal]
    const question = JSON.stringify([target.refusedOutside, found])
    return yield* Effect.fromResult(checks.of(question, () => checkAddresses(found, target, exempt)))
  })

  const checked = Effect.fnUntraced(function* (schemes: Reading["schemes"], text: string) {
    const target = yield* read(schemes, text)
    const [address] = yield* resolved(target)
    return { url: target.url, address: address! } satisfies CheckedTarget
  })

  return { read, resolved, checked }
}
