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
  readonly on: (event: "close" | "error", listener: () => void) => unknown
  readonly off: (event: "close" | "error", listener: () => void) => unknown
}

/** What an adapter knows of the request. */
export interface UpgradeOptions {
  /** The target below the mount point. Default: the request's. */
  readonly path?: string
  readonly clientAddress?: string
}

/** Headers under lower-case names; of a header that is there several times the values with commas between. */
export const headersOf = ({ headers }: UpgradeRequest): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      typeof value === "string" || value === undefined ? value : value.join(", ")
    ])
  )

const tokensOf = (text: string | undefined): ReadonlyArray<string> =>
  (text ?? "")
    .split(",")
    .map((token) => token.trim())
    .filter((token) => token !== "")

export const protocolsOf = (headers: Readonly<Record<string, string | undefined>>): ReadonlyArray<string> =>
  tokensOf(headers["sec-websocket-protocol"])

/** What is wrong with a handshake of RFC 6455, in a sentence; null where nothing is. */
export const handshakeFault = (
  method: string | undefined,
  headers: Readonly<Record<string, string | undefined>>
): string | null => {
  if (method !== "GET") return "A WebSocket is opened with GET."
  if (headers.upgrade?.toLowerCase() !== "websocket") return "The Upgrade header must be websocket."
  if (!/^[A-Za-z0-9+/]{22}==$/.test(headers["sec-websocket-key"] ?? ""))
    return "Sec-WebSocket-Key is missing or invalid."
  if (headers["sec-websocket-version"] !== "13") return "Sec-WebSocket-Version must be 13."
  return null
}

const reasons: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  426: "Upgrade Required",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable"
}

export interface PlainResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const utf8 = new TextEncoder()

/** A response over HTTP/1.1, after which the connection is closed. */
export const responseText = ({ body, headers, status }: PlainResponse): string =>
  [
    `HTTP/1.1 ${status} ${reasons[status] ?? "Refused"}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value.replace(/[\r\n]+/g, " ")}`),
    `content-length: ${utf8.encode(body).length}`,
    "connection: close",
    "",
    body
  ].join("\r\n")
