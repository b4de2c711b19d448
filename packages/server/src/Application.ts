/** The product in a Fastify application of its own, beside health and metrics; at its root the dashboard, or a front page. */
import { randomUUID } from "node:crypto"
import { STATUS_CODES } from "node:http"
import { trunkline } from "@trunkline/adapter-fastify"
import type { Trunkline } from "@trunkline/core"
import { type Brand, originForm } from "@trunkline/core/provider"
import { nodeHandler } from "@trunkline/node"
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify"
import { envelopes } from "./Envelope.ts"
import { frontOf, frontPage, frontPolicy } from "./FrontPage.ts"
import type { Health } from "./Health.ts"
import { write } from "./Log.ts"
import type { Metrics } from "./Metrics.ts"
import { healthPaths, metricsPath, serveHealth, serveMetrics } from "./Monitoring.ts"

export interface ApplicationOptions {
  readonly brand: Brand
  readonly health: Health
  readonly metrics: Metrics
  /** False where the metrics have a port of their own. */
  readonly showsMetrics: boolean
  /** Proxies whose header with the client's address is believed. */
  readonly trustProxy: string | false
}

/** Paths that the server answers beside the product's. */
export const ownPaths = (showsMetrics: boolean): ReadonlySet<string> =>
  new Set([...healthPaths, ...(showsMetrics ? [metricsPath] : []), "/"])

/** As in the product's own answers. */
const requestIdPattern = /^[\w.:-]{1,128}$/

/** A request must have arrived by then: a client that sends single bytes occupies a connection no longer. */
const arrivalMs = 300_000

const parseFaults: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }

const pathOf = (url: string): string => url.split("?", 1)[0]!

export const applicationOf = (
  core: Trunkline,
  { brand, health, metrics, showsMetrics, trustProxy }: ApplicationOptions
): FastifyInstance => {
  const envelope = envelopes(brand)
  /** An answer to a request that has no route. */
  const refusal = (status: number) => {
    const requestId = randomUUID()
    const { body, headers } = envelope("/", status, requestId)
    const text = JSON.stringify(body)
    return {
      text,
      headers: {
        connection: "close",
        "content-type": "application/json",
        "content-length": Buffer.byteLength(text),
        "x-request-id": requestId,
        ...headers
      }
    }
  }
  const refuse = (request: FastifyRequest, reply: FastifyReply, status: number): FastifyReply => {
    const { body, headers } = envelope(pathOf(request.url), status, request.id)
    return reply
      .code(status)
      .headers({ ...headers, "x-request-id": request.id, "content-type": "application/json" })
      .serializer(String)
      .send(JSON.stringify(body))
  }
  const app = fastify({
    logger: false,
    forceCloseConnections: "idle",
    trustProxy,
    requestTimeout: arrivalMs,
    // Longer ones than any id are for the product to refuse.
    routerOptions: { maxParamLength: 1024 },
    genReqId: ({ headers }) => {
      const given = headers["x-request-id"]
      return typeof given === "string" && requestIdPattern.test(given) ? given : randomUUID()
    },
    frameworkErrors: (_, request, reply: FastifyReply) => {
      void refuse(request, reply, 400)
    },
    clientErrorHandler: (error, socket) => {
      if (error.code === "ECONNRESET" || !socket.writable) return
      const status = parseFaults[error.code ?? ""] ?? 400
      const { headers, text } = refusal(status)
      const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
      socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...fields, "", text].join("\r\n"))
    },
    // A client may send the whole address as its target.
    rewriteUrl: ({ url = "/" }) => originForm(url),
    // A request without Host is refused by a hook, where it gets an id.
    http: { requireHostHeader: false }
  })
  // A known path answers every method that the parser knows, with 405 where it does not have it. Those that Fastify does not
  // route pass it by: thirty more routes for each path would take a sixth of a start.
  const routed = new Set(app.supportedMethods)
  const handle = nodeHandler(core)
  app.server.on("checkExpectation", (_, response) => {
    const { headers, text } = refusal(417)
    response.writeHead(417, headers).end(text)
  })
  const own = ownPaths(showsMetrics)

  app.addHook("onRequest", (request, reply, done) => {
    const began = performance.now()
    reply.raw.once("close", () =>
      metrics.ended({
        method: request.method,
        path: pathOf(request.url),
        status: reply.raw.statusCode,
        seconds: (performance.now() - began) / 1000
      })
    )
    if (request.headers.host === undefined && request.raw.httpVersion === "1.1") return refuse(request, reply, 400)
    if (routed.has(request.method) || !core.matches(pathOf(request.url))) return done()
    reply.hijack()
    handle(request.raw, reply.raw, { clientAddress: request.ip })
  })
  app.addHook("onSend", (request, reply, _, done) => {
    reply.header("x-request-id", request.id)
    // As the product's own answers: JSON has no charset.
    if (reply.getHeader("content-type") === "application/json; charset=utf-8") {
      reply.header("content-type", "application/json")
    }
    done()
  })
  serveHealth(app, health)
  if (showsMetrics) serveMetrics(app, metrics)
  const hasDashboard = core.matches("/dashboard/")
  app.get("/", async ({ headers }, reply) => {
    // Relative, so that it is right behind a proxy that has added a prefix.
    if (hasDashboard) return reply.code(302).header("location", "dashboard/").header("cache-control", "no-store").send()
    const status = (await health.faults()).length === 0 ? "ready" : "not ready"
    reply.header("vary", "accept").header("cache-control", "no-store")
    if (!headers.accept?.includes("text/html")) return frontOf(brand, status)
    return reply
      .type("text/html; charset=utf-8")
      .header("content-security-policy", frontPolicy)
      .header("referrer-policy", "no-referrer")
      .header("x-content-type-options", "nosniff")
      .send(frontPage(brand, status))
  })
  app.setNotFoundHandler((request, reply) => {
    if (!own.has(pathOf(request.url))) return refuse(request, reply, 404)
    return refuse(request, reply.header("allow", "GET, HEAD"), 405)
  })
  app.setErrorHandler((error: Error & { readonly statusCode?: number }, request, reply) => {
    const status = error.statusCode !== undefined && error.statusCode < 500 ? 400 : 500
    if (status === 500)
      write({
        ...{ at: new Date(), level: "error", message: "a request failed", requestId: request.id },
        ...{ error: String(error), ...(error.stack === undefined ? {} : { stack: error.stack }) }
      })
    return refuse(request, reply, status)
  })
  app.register(trunkline(core))
  return app
}
