/** How a client has addressed the product, through the proxies that say so. Pure. Source: docs/reference/access.md#origin. */

/** A request as far as its address is read. */
export interface AddressedRequest {
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The host's own object for the request: Node's, or one of the fetch API, which has the host in its URL. */
  readonly source: object
}

/** The first of what a chain of proxies has written: the one that the client has reached. */
const first = (header: string | undefined): string | undefined => header?.split(",", 1)[0]?.trim() || undefined

/** The URL of the request as its host has it: whole, or a path with the prefix under which the product is mounted. */
const targetOf = ({ source }: AddressedRequest): string => {
  const { originalUrl, url } = source as { readonly originalUrl?: unknown; readonly url?: unknown }
  // Express cuts the prefix off, and keeps what there was.
  const target = originalUrl ?? url
  return typeof target === "string" ? target : ""
}

/** Host and port; empty where nobody says them. */
export const hostOf = (request: AddressedRequest): string =>
  first(request.headers["x-forwarded-host"]) ||
  request.headers.host ||
  request.headers[":authority"] ||
  (URL.parse(targetOf(request))?.host ?? "")

const isEncrypted = ({ source }: AddressedRequest): boolean =>
  "socket" in source && (source.socket as { readonly encrypted?: unknown } | null)?.encrypted === true

/** Whether the client has sent the request over https. */
export const isSecure = (request: AddressedRequest): boolean => {
  const forwarded = first(request.headers["x-forwarded-proto"])?.toLowerCase()
  if (forwarded !== undefined) return forwarded === "https"
  return isEncrypted(request) || URL.parse(targetOf(request))?.protocol === "https:"
}

/** Where a client reaches the mount point, without a slash at its end: `https://app.example.com/phone`. `path` is that of the request's routes. */
export const mountPointOf = (request: AddressedRequest, path: string): string => {
  const scheme = isSecure(request) ? "https" : "http"
  const whole = URL.parse(targetOf(request), "http://localhost")?.pathname ?? ""
  return `${scheme}://${hostOf(request) || "localhost"}${whole.slice(0, Math.max(0, whole.lastIndexOf(path)))}`
}
