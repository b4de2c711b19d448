/** A request of Node's to change to another protocol, as far as it is read here, and the socket that it came on. */

export interface UpgradeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly socket?: { readonly remoteAddress?: string | undefined } | undefined
}

/** The socket of the request. */
export interface UpgradeSocket {
  readonly destroyed: boolean
  readonly end: (text: string) => unknown
  readonly destroy: () => unknown
  readonly resume: () => unknown
  readonly on: (event: "close" | "error" | "end", listener: () => void) => unknown
  readonly once: (event: "close" | "error" | "end", listener: () => void) => unknown
}

/** What an adapter knows of the request. */
export interface UpgradeOptions {
  /** The mount point, such as `/phone`: a target elsewhere is foreign. Default: none. */
  readonly prefix?: string | undefined
  /** The target below the mount point, of a host that cuts it by itself. Default: what follows `prefix`. */
  readonly path?: string | undefined
  /** The client's address after the host has applied its trust in proxies. */
  readonly clientAddress?: string | undefined
}

/** The target below the mount point, query included; null where it is elsewhere. */
export const targetBelow = (url: string, { path, prefix = "" }: UpgradeOptions): string | null => {
  if (path !== undefined) return path
  const mount = prefix.endsWith("/") ? prefix.slice(0, -1) : prefix
  return url.startsWith(`${mount}/`) ? url.slice(mount.length) : null
}

type SocketHeaders = Readonly<Record<string, string | undefined>>

/** Headers under lower-case names; of a header that is there several times the values with commas between. */
export const headersOf = ({ headers }: UpgradeRequest): SocketHeaders =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      typeof value === "string" || value === undefined ? value : value.join(", ")
    ])
  )

/** As RFC 9110 has it. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** The subprotocols that a client offers, in its order; null where they are malformed or repeated. */
export const protocolsOf = (headers: SocketHeaders): ReadonlyArray<string> | null => {
  const offered = headers["sec-websocket-protocol"]
  if (offered === undefined) return []
  const names = offered.split(",").map((name) => name.trim())
  return names.every((name) => token.test(name)) && new Set(names).size === names.length ? names : null
}

/** What a client that speaks another protocol, or another version of it, must change. Null where it need not. */
export const otherProtocol = (headers: SocketHeaders): Readonly<Record<string, string>> | null => {
  if (headers.upgrade?.toLowerCase() !== "websocket") return { upgrade: "websocket" }
  return headers["sec-websocket-version"] === "13" ? null : { upgrade: "websocket", "sec-websocket-version": "13" }
}

/** Whether a handshake of RFC 6455 has what it needs, beside its version. */
export const isWellFormed = (headers: SocketHeaders): boolean =>
  /^[A-Za-z0-9+/]{22}==$/.test(headers["sec-websocket-key"] ?? "") && protocolsOf(headers) !== null
