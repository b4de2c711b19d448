/**
 * Whether a page of another origin may have made a request that a host's cookie has signed in. Browsers say where a request comes
 * from, and no page can change what they say. Pure. Source: docs/reference/access.md#origin.
 */

/** A request as far as the check reads it. */
export interface OriginRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The host's own object for the request: one of the fetch API has the host in its URL. */
  readonly source: object
}

const readers: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"])

/** A handshake is a GET that opens a conversation. */
const onlyReads = ({ headers, method }: OriginRequest): boolean => readers.has(method) && headers.upgrade === undefined

/** Host and port as a page of `scheme` writes them: without the scheme's own port. Null where there are none. */
const hostIn = (scheme: string, host: string): string | null => URL.parse(`${scheme}//${host}`)?.host ?? null

/** Where the client sent the request: the first of the proxies knows best. */
const hostOf = ({ headers, source }: OriginRequest): string => {
  const forwarded = headers["x-forwarded-host"]?.split(",")[0]?.trim()
  const asked = forwarded || headers.host || headers[":authority"]
  if (asked) return asked
  return "url" in source && typeof source.url === "string" ? (URL.parse(source.url)?.host ?? "") : ""
}

const isOfHost = (origin: string, request: OriginRequest): boolean => {
  const page = URL.parse(origin)
  return page !== null && page.host !== "" && page.host === hostIn(page.protocol, hostOf(request))
}

/**
 * False where a page of an origin that is neither the request's own nor one of `allowed` has made a request that may change something.
 * A bearer is sent by programs alone, never by a browser of its own accord: other kinds of `Authorization` prove nothing.
 */
export const isFromOwnPage = (request: OriginRequest, allowed: ReadonlySet<string>): boolean => {
  const { headers } = request
  if (onlyReads(request) || /^bearer /i.test(headers.authorization ?? "")) return true
  const { origin } = headers
  if (origin !== undefined && allowed.has(origin)) return true
  const site = headers["sec-fetch-site"]
  if (site !== undefined) return site === "same-origin" || site === "none"
  return origin === undefined || isOfHost(origin, request)
}
