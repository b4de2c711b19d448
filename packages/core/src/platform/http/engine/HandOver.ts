/** What a host passes with a request, and where it is stored while the request runs. */
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"
import type { HandedPrincipal } from "../../accounts/index.ts"
import { handedPrincipals } from "../../accounts/index.ts"

/** What a host knows about a request beside its bytes. Source: docs/reference/embedding.md#node. */
export interface HandOver {
  /** The client's address after the host has applied its trust in proxies. */
  readonly clientAddress?: string | undefined
  /** Path and query below the mount point. Default: the request's own. */
  readonly path?: string | undefined
  /** The person whom the host has signed in, or a function that returns one. Source: docs/reference/access.md#authenticate. */
  readonly principal?: HandedPrincipal
}

/** Client addresses by the host's request object. */
export const clientAddresses = new WeakMap<object, string>()

/** The address of the client that has sent a request; null where nobody knows it. */
export const addressOf = ({ remoteAddress, source }: HttpServerRequest.HttpServerRequest): string | null =>
  clientAddresses.get(source) ?? Option.getOrNull(remoteAddress)

/** Paths below the mount point by the host's request object, where that object has another path. */
export const mountedPaths = new WeakMap<object, string>()

/** Requests of which a relay has counted the address, by the host's request object. */
export const countedAddresses = new WeakSet<object>()

/** By the host's request object: that its body can no longer be had, in a sentence for the host's operator, with the fix. */
export const lostBodies = new WeakMap<object, string>()

/** Stores the principal of a request. */
export const rememberPrincipal = (source: object, { principal }: HandOver): void => {
  if (principal !== undefined) handedPrincipals.set(source, principal)
}
