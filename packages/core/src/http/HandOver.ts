/** What a host hands over with a request, and where it is kept while the request runs. */
import type { HandedPrincipal } from "../access/index.ts"
import { handedPrincipals } from "../access/index.ts"

/** What a host knows of a request besides its bytes. Source: docs/embedding.md#node. */
export interface HandOver {
  /** The client's address as the host sees it, its trust in proxies applied. */
  readonly clientAddress?: string | undefined
  /** Path and query below the mount point. Default: the request's own. */
  readonly path?: string | undefined
  /** Whom the host has signed in, or a function that finds out. Source: docs/access.md#authenticate. */
  readonly principal?: HandedPrincipal
}

/** The client's address as the host knows it, by the host's own object for the request. */
export const clientAddresses = new WeakMap<object, string>()

/** The path below the mount point, where the host's own object says another. */
export const mountedPaths = new WeakMap<object, string>()

/** Keeps who the host says is signed in. */
export const rememberPrincipal = (source: object, { principal }: HandOver): void => {
  if (principal !== undefined) handedPrincipals.set(source, principal)
}
