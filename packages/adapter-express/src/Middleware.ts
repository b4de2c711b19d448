/** Mounts the product into an Express application. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Trunkline } from "@trunkline/core"
import { pathOf } from "@trunkline/core/effect"
import { nodeHandler } from "@trunkline/node"

/** A middleware in the fewest words, so that no version of Express's types is needed to use it. */
export type Middleware = (
  request: IncomingMessage & { readonly ip?: string | undefined },
  response: ServerResponse,
  next: (error?: unknown) => void
) => void

/**
 * The product as a middleware: `app.use("/calling", trunkline(core))`. Foreign paths go on to the next one. Mount it
 * before body parsers. Starting and stopping `core` is the host's. Source: docs/embedding.md#express.
 */
export const trunkline = (core: Trunkline): Middleware => {
  const handle = nodeHandler(core)
  return (request, response, next) => {
    if (!core.matches(pathOf(request.url!))) return next()
    handle(request, response, { clientAddress: request.ip })
  }
}
