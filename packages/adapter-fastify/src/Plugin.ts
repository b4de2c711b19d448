/** Mounts the product into a Fastify application. */
import type { HostAnswer, Trunkline } from "@trunkline/core"
import { internalsOf, originForm, pathOf } from "@trunkline/core/provider"
import { nodeHandler } from "@trunkline/node"
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from "fastify"
import { type Open, passUpgrade, serveUpgrades } from "./Upgrades.ts"

export interface FastifyOptions {
  /** Start the background work when the server is ready, and stop the product once the server has closed. Default: the host does. */
  readonly start?: boolean
  /**
   * Returns whom the host has signed in, from Fastify's own request with its decorators. After null, keys and tokens are
   * tried. `onRequest` hooks have run before. Source: docs/reference/access.md#authenticate.
   */
  readonly authenticate?: (request: FastifyRequest) => HostAnswer | PromiseLike<HostAnswer>
}

/**
 * The product as a plugin: `app.register(trunkline(core), { prefix: "/calling" })`. Its routes stand beside the
 * host's, and nothing else of the host changes. Source: docs/reference/embedding.md#fastify.
 */
export const trunkline =
  (core: Trunkline, { authenticate, start = false }: FastifyOptions = {}): FastifyPluginAsync =>
  async (app) => {
    const handle = nodeHandler(core)
    const below = belowMount(app.prefix)
    for (const path of pathsOf(core, ignoresTrailingSlash(app))) {
      app.route({
        // A known path answers every method, with 405 where it does not have it.
        method: app.supportedMethods,
        url: path,
        exposeHeadRoute: false,
        // The host's own OpenAPI does not list these routes; they have their own.
        schema: { hide: true } as object,
        // This hook runs before the host's body parsers.
        onRequest: (request, reply) => {
          const path = below(originForm(request.raw.url!))
          // A wildcard matches more than the contract does.
          if (!core.matches(pathOf(path))) return void reply.callNotFound()
          reply.hijack()
          const open: Open = (socket, head) => {
            core.upgrade(request.raw, socket, head, { path, clientAddress: request.ip })
          }
          if (passUpgrade(request.raw, reply.raw, open)) return
          handle(request.raw, reply.raw, {
            clientAddress: request.ip,
            path,
            principal: authenticate && (() => authenticate(request))
          })
        },
        handler: (_request, reply) => reply
      })
    }
    serveSockets(app, core, below)
    if (start) {
      app.addHook("onReady", () => core.start())
      app.addHook("onClose", () => core.stop())
    }
  }

/** Serves the product's sockets until the server closes, which waits for them. */
const serveSockets = (app: FastifyInstance, core: Trunkline, below: (target: string) => string): void => {
  let isClosing = false
  serveUpgrades({
    app,
    isSocket: (given) => {
      const target = originForm(given)
      return isBelow(app.prefix, target) && internalsOf(core).isSocket(pathOf(below(target)))
    },
    refuse: (request, socket, head) => {
      core.upgrade(request, socket, head, { path: below(originForm(request.url!)) })
    },
    isClosing: () => isClosing
  })
  app.addHook("preClose", () => {
    isClosing = true
    return core.closeSockets()
  })
}

/** Whether a target is below the mount point: a parameter of the prefix is any segment. */
const isBelow = (prefix: string, target: string): boolean => {
  const segments = prefix.replace(/\/$/, "").split("/")
  const given = pathOf(target).split("/")
  return segments.every((segment, at) => segment.startsWith(":") || segment === given[at])
}

/** The product's paths as Fastify writes them: the path of a collection with and without its slash. */
const pathsOf = (core: Trunkline, ignoreSlash: boolean): ReadonlyArray<string> =>
  internalsOf(core).patterns.flatMap((pattern) => {
    const slashed = ignoreSlash || pattern.endsWith("*") ? [] : [`${pattern}/`]
    return [pattern, ...slashed].filter(core.matches)
  })

/** For such a host both forms of a path are one route, which cannot be declared twice. */
const ignoresTrailingSlash = ({ initialConfig }: FastifyInstance): boolean =>
  initialConfig.routerOptions?.ignoreTrailingSlash ?? initialConfig.ignoreTrailingSlash ?? false

/** Cuts a target at the mount point, which has as many segments as its prefix: one of them may be a parameter. */
const belowMount = (prefix: string): ((target: string) => string) => {
  const segments = prefix.replace(/\/$/, "").split("/").length - 1
  if (segments === 0) return (target) => target
  return (target) => {
    let at = 0
    for (let passed = 0; passed < segments; passed++) at = target.indexOf("/", at + 1)
    return target.slice(at)
  }
}
