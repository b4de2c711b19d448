/** Fetches an image that an upstream answers with the address of. Source: docs/reference/upstreams.md#images. */
import { AddressPolicy, type UpstreamFailed } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type BoundedHttp, makeBoundedHttp, policyLookup } from "../http/index.ts"
import { failed, isSuccess, sizeOf } from "./UpstreamWire.ts"

/** Of one image. */
const maxImageBytes = 32 * 1024 * 1024

export interface ImageSource {
  readonly baseUrl: string
  /** Sent to the upstream itself, and to nobody else. */
  readonly headers: Readonly<Record<string, string>>
  /** In CIDR notation. */
  readonly exemptNetworks: ReadonlyArray<string>
  /** Maximum duration of the fetch, in milliseconds. */
  readonly maxMs: number
}

/** The bytes at an address: of the upstream's own host, or one that webhooks may reach. Redirects are not followed. */
export const fetchImage = (
  address: string,
  source: ImageSource,
  http: BoundedHttp
): Effect.Effect<Uint8Array, UpstreamFailed> => {
  const base = new URL(source.baseUrl)
  const url = URL.parse(address)
  if (url !== null && isOwnHost(url, base)) {
    return get(url, url.origin === base.origin ? source.headers : {}, source, http)
  }
  const exempt = Result.getOrElse(AddressPolicy.parseNetworks(source.exemptNetworks), () => [])
  const target = AddressPolicy.readUrl(address, { schemes: "https", exempt })
  if (Result.isFailure(target)) return Effect.fail(unfetched("its address is not one that may be called"))
  return Effect.acquireUseRelease(
    Effect.sync(() => makeBoundedHttp({ lookup: policyLookup(() => target, exempt) })),
    (checked) => get(target.success.url, {}, source, checked),
    (checked) => Effect.promise(checked.close)
  )
}

/** A host that serves TLS is not asked without it. */
const isOwnHost = (url: URL, base: URL): boolean =>
  url.hostname === base.hostname &&
  (url.protocol === "https:" || url.protocol === base.protocol) &&
  url.username === "" &&
  url.password === ""

const get = (
  url: URL,
  headers: Readonly<Record<string, string>>,
  { maxMs }: ImageSource,
  http: BoundedHttp
): Effect.Effect<Uint8Array, UpstreamFailed> =>
  http
    .exchange({
      ...{ method: "GET", url, headers: { accept: "image/*", ...headers }, body: null },
      ...{ headMs: maxMs, bodyMs: maxMs, deadline: performance.now() + maxMs },
      maxBytes: () => maxImageBytes
    })
    .pipe(
      Effect.mapError(({ detail }) => unfetched(detail)),
      Effect.flatMap(({ body, cut, status }) => {
        if (!isSuccess(status)) return Effect.fail(unfetched(`answered ${status}`))
        return cut === null ? Effect.succeed(body) : Effect.fail(unfetched(cuts[cut]))
      })
    )

const cuts = {
  too_large: `it has more than ${sizeOf(maxImageBytes)}`,
  late: "it did not end in time",
  broken: "it broke off"
}

const unfetched = (detail: string): UpstreamFailed => failed("unreadable", `an image could not be fetched: ${detail}`)
