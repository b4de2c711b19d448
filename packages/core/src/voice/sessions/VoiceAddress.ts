/** Where a client connects to the sessions of a request. Pure. Source: docs/reference/voice.md#session. */

/** What is known of a request's own address. */
interface RequestAddress {
  /** The whole URL, or the path with which the request came, the host's prefix included. */
  readonly target: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly isEncrypted: boolean
}

/** The first of what a chain of proxies has written. */
const first = (header: string | undefined): string | undefined => header?.split(",", 1)[0]?.trim().toLowerCase()

/**
 * The address of the socket beside the routes of sessions: the scheme and host that the client has used, where its proxies say so,
 * and the prefix under which the host has mounted the product. The alias of inference routes has no sockets.
 */
export const socketUrl = (
  { headers, isEncrypted, target }: RequestAddress,
  { mount, socket }: { readonly mount: string; readonly socket: string }
): string => {
  const own = URL.parse(target, `http://${headers.host ?? "localhost"}`)
  const scheme = first(headers["x-forwarded-proto"]) ?? (isEncrypted ? "https" : (own?.protocol.slice(0, -1) ?? "http"))
  const host = first(headers["x-forwarded-host"]) ?? headers.host ?? own?.host ?? "localhost"
  const path = own?.pathname ?? ""
  const prefix = path.slice(0, Math.max(0, path.lastIndexOf(mount))).replace(/\/openai$/, "")
  return `${scheme === "https" || scheme === "wss" ? "wss" : "ws"}://${host}${prefix}${socket}`
}
