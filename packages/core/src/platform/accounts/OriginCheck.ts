/**
 * Whether a page of another origin may have made a request that a cookie has signed in. Browsers say where a request comes
 * from, and no page can change what they say. Pure. Source: docs/reference/access.md#origin.
 */
import { type AddressedRequest, hostOf } from "./RequestAddress.ts"

/** A request as far as the check reads it. */
export interface OriginRequest extends AddressedRequest {
  readonly method: string
}

/** Whose pages may act for a person, beside those of the request's own host. */
export interface OwnPages {
  /** Further origins, whatever a browser says of their site. */
  readonly allowed: ReadonlySet<string>
  /** The origin at which browsers reach the dashboard; null where only the requests say so. */
  readonly dashboard: string | null
}

const readers: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"])

/** A handshake is a GET that opens a conversation. */
const onlyReads = ({ headers, method }: OriginRequest): boolean => readers.has(method) && headers.upgrade === undefined

/** Host and port as a page of `scheme` writes them: without the scheme's own port. Null where there are none. */
const hostIn = (scheme: string, host: string): string | null => URL.parse(`${scheme}//${host}`)?.host ?? null

const isOfHost = (origin: string, request: OriginRequest): boolean => {
  const page = URL.parse(origin)
  return page !== null && page.host !== "" && page.host === hostIn(page.protocol, hostOf(request))
}

/** The origin of a dashboard's address, for `OwnPages`. */
export const originOf = (address: string | null): string | null =>
  address === null ? null : (URL.parse(address)?.origin ?? null)

/** False where a browser says that a page of another origin has made the request. A request that says nothing is no browser's. */
export const isFromOwnOrigin = (request: OriginRequest, dashboard: string | null): boolean => {
  const { origin, "sec-fetch-site": site } = request.headers
  if (site !== undefined) return site === "same-origin" || site === "none"
  return origin === undefined || origin === dashboard || isOfHost(origin, request)
}

/**
 * False where a page of an origin that is neither the request's own nor one of `allowed` has made a request that may change something.
 * A bearer is sent by programs alone, never by a browser of its own accord: other kinds of `Authorization` prove nothing.
 */
export const isFromOwnPage = (request: OriginRequest, { allowed, dashboard }: OwnPages): boolean => {
  const { headers } = request
  if (onlyReads(request) || /^bearer /i.test(headers.authorization ?? "")) return true
  return (headers.origin !== undefined && allowed.has(headers.origin)) || isFromOwnOrigin(request, dashboard)
}
