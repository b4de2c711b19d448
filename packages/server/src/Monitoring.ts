/** What monitoring asks for: health, and the metrics on the server's port or on one of their own. Source: docs/reference/operations.md#metrics. */
import fastify, { type FastifyInstance } from "fastify"
import type { Health } from "./Health.ts"
import type { Metrics } from "./Metrics.ts"

export const healthPaths = ["/healthz", "/readyz"] as const
export const metricsPath = "/metrics"

export const serveHealth = (app: FastifyInstance, health: Health): void => {
  app.get("/healthz", () => ({ status: "ok" }))
  app.get("/readyz", async (_, reply) => {
    const faults = await health.faults()
    return faults.length === 0 ? { status: "ready" } : reply.code(503).send({ status: "not ready", faults })
  })
}

export const serveMetrics = (app: FastifyInstance, metrics: Metrics): void => {
  app.get(metricsPath, async (_, reply) => reply.type(metrics.contentType).send(await metrics.text()))
}

/** The server of a port that no client of the product reaches. */
export const monitoringOf = (health: Health, metrics: Metrics): FastifyInstance => {
  const app = fastify({ logger: false, forceCloseConnections: true })
  serveHealth(app, health)
  serveMetrics(app, metrics)
  app.setNotFoundHandler((_, reply) => reply.code(404).send({ detail: "Not Found" }))
  return app
}
