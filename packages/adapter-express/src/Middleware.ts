/// <reference types="node" preserve="true" />
/** Mounts the product into an Express application. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { HostAnswer, Trunkline } from "@trunkline/core"
import { pathOf } from "@trunkline/core/provider"
import { nodeHandler } from "@trunkline/node"
import type { Request } from "express"

/** A middleware of any version of Express. */
export type Middleware = (
  request: IncomingMessage & { readonly ip?: string | undefined },
  response: ServerResponse,
  next: (error?: unknown) => void
) => void

export interface ExpressOptions {
  /**
   * Returns whom the host has signed in, from Express's own request: `request.user`, `request.session`. After null, keys
   * and tokens are tried. Source: docs/reference/access.md#authenticate.
   */
  readonly authenticate?: (request: Request) => HostAnswer | PromiseLike<HostAnswer>
}

/**
 * The product as a middleware: `app.use("/calling", trunkline(core))`. Foreign paths go on to the next one. Mount it
 * before body parsers. The host starts and stops `core`. Source: docs/reference/embedding.md#express.
 */
export const trunkline = (core: Trunkline, { authenticate }: ExpressOptions = {}): Middleware => {
  const handle = nodeHandler(core)
  return (request, response, next) => {
    if (!core.matches(pathOf(request.url!))) return next()
    handle(request, response, {
      clientAddress: request.ip,
      // Express passes its own request to every middleware.
      principal: authenticate && (() => authenticate(request as Request))
    })
  }
}
