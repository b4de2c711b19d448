/** Says in our words why a request has no response. An error's own text is never passed on: it contains addresses. */
import { errors } from "undici"

/** `unreadable` where something answered that is not HTTP or has a head without end. */
export interface ConnectionFault {
  readonly reason: "unreachable" | "unreadable"
  readonly detail: string
}

/** Thrown by a lookup to prevent a connection; its message is a detail. */
export class AddressRefused extends Error {
  constructor() {
    super("the file's address is not a public one")
  }
}

const ended = "the connection ended before there was an answer"

const faults: Readonly<Record<string, string>> = {
  ENOTFOUND: "the host name does not exist",
  EAI_AGAIN: "the host name could not be looked up for now",
  ECONNREFUSED: "connections are refused",
  EHOSTUNREACH: "there is no way to the host",
  ENETUNREACH: "there is no way to the host",
  ETIMEDOUT: "no connection came about in time",
  UND_ERR_CONNECT_TIMEOUT: "no connection came about in time",
  ECONNRESET: ended,
  EPIPE: ended,
  UND_ERR_SOCKET: ended,
  ERR_SSL_WRONG_VERSION_NUMBER: "the port does not speak TLS",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "the port does not speak TLS",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "the certificate is self-signed",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the certificate is of no known authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the certificate is of no known authority",
  CERT_HAS_EXPIRED: "the certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate is for another host name"
}

/** The first code in a chain of causes. */
const codeOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined
  return "code" in error && typeof error.code === "string" ? error.code : codeOf(error.cause)
}

/** The cause of an error of undici's, by the first code in its chain of causes. */
export const connectionFault = (error: unknown): ConnectionFault => {
  if (error instanceof AddressRefused) return { reason: "unreachable", detail: error.message }
  const code = codeOf(error) ?? ""
  if (code === "UND_ERR_HEADERS_OVERFLOW") {
    return { reason: "unreadable", detail: "the head of the answer is too long" }
  }
  if (error instanceof errors.HTTPParserError) return { reason: "unreadable", detail: "the answer is not HTTP" }
  return { reason: "unreachable", detail: faults[code] ?? `no connection${code === "" ? "" : ` (${code})`}` }
}
