/** Where the pages of a running server are. Pure. Source: docs/reference/webhooks-portal.md#link. */
import type { Environment } from "./ConfigFile.ts"

/** Addresses at which a server listens on every interface: a browser on this machine reaches it by loopback. */
const everywhere: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" }

/** The server's address as HOST and PORT say it, for a browser on the same machine. */
export const localAddress = ({ HOST, PORT }: Environment): string => {
  const listens = HOST || "127.0.0.1"
  const host = everywhere[listens] ?? listens
  return `http://${host.includes(":") ? `[${host}]` : host}:${PORT || "8787"}`
}

/** An address of the server without the slashes at its end, so that a path can follow. */
export const withoutSlash = (address: string): string => address.replace(/\/+$/, "")

/** The token is in the fragment, which browsers do not send. */
export const portalLink = (address: string, token: string): string =>
  `${withoutSlash(address)}/portal/webhooks#token=${token}`

/** The same of the dashboard. */
export const dashboardLink = (address: string, token: string): string =>
  `${withoutSlash(address)}/dashboard/#token=${token}`
