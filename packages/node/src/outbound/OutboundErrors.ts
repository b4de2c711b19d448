/** Why no answer came, in the product's words. An error's own text may contain addresses and is not shown. */
import { OutboundFailed } from "@trunkline/core/provider"
import { DialFailed, maxHeadBytes } from "./Connection.ts"

type Details = Readonly<Record<string, string>>

const names: Details = {
  ENOTFOUND: "The host name does not exist.",
  ENODATA: "The host name has no address.",
  EAI_AGAIN: "The host name could not be looked up for now."
}

const ended = "The connection ended before there was an answer."

const connections: Details = {
  ECONNREFUSED: "The endpoint refuses connections.",
  ETIMEDOUT: "The endpoint does not answer to connections.",
  EHOSTUNREACH: "The endpoint cannot be reached.",
  ENETUNREACH: "The endpoint cannot be reached.",
  ECONNRESET: ended,
  EPIPE: ended,
  UND_ERR_SOCKET: ended,
  UND_ERR_DESTROYED: "The connection was given up."
}

const selfSigned = "The endpoint's certificate is self-signed."
const noAuthority = "The endpoint's certificate is of no known authority, or its chain is incomplete."

const handshakes: Details = {
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: selfSigned,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: noAuthority,
  UNABLE_TO_GET_ISSUER_CERT: noAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: noAuthority,
  CERT_UNTRUSTED: noAuthority,
  CERT_HAS_EXPIRED: "The endpoint's certificate has expired.",
  CERT_NOT_YET_VALID: "The endpoint's certificate is not valid yet.",
  CERT_REVOKED: "The endpoint's certificate is revoked.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The endpoint's certificate is for another host name.",
  ECONNRESET: "The endpoint closed the connection during the TLS handshake.",
  ERR_SSL_WRONG_VERSION_NUMBER: "The endpoint does not speak TLS at this port."
}

const protocols: Details = {
  UND_ERR_HEADERS_OVERFLOW: `The head of the endpoint's answer is longer than ${maxHeadBytes / 1024} KiB.`
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : ""

/** Why a name has no addresses. */
export const nameFailure = (error: unknown): OutboundFailed =>
  new OutboundFailed({ reason: "name", detail: names[codeOf(error)] ?? "The host name could not be looked up." })

/** Why a POST has no answer. Source: docs/reference/address-policy.md#failures. */
export const postFailure = (error: Error): OutboundFailed => {
  if (!(error instanceof DialFailed)) {
    const code = codeOf(error)
    const connection = connections[code]
    return connection === undefined
      ? new OutboundFailed({ reason: "protocol", detail: protocols[code] ?? "The endpoint's answer is not HTTP." })
      : new OutboundFailed({ reason: "connection", detail: connection })
  }
  const code = codeOf(error.cause)
  return error.stage === "tls"
    ? new OutboundFailed({ reason: "tls", detail: handshakes[code] ?? "The TLS handshake with the endpoint failed." })
    : new OutboundFailed({ reason: "connection", detail: connections[code] ?? "No connection could be opened." })
}
