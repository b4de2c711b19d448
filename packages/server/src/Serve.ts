/** The standalone server: the product in a Fastify application of its own, with health, metrics and its description. */
import { trunkline } from "@trunkline/adapter-fastify"
import type { Trunkline } from "@trunkline/core"
import fastify, { type FastifyInstance } from "fastify"
import type { Config } from "./Config.ts"
import { envelopeOf } from "./Envelope.ts"
import { write } from "./Log.ts"
import { metricsOf } from "./Metrics.ts"
import { type Environment, openProduct } from "./Product.ts"
import { referencePage } from "./Reference.ts"
import { UsageError } from "./UsageError.ts"

/** A stop that takes longer is ended by force: whoever runs us waits no longer either. */
const patienceMs = 14_000

export interface Running {
  readonly url: string
  readonly core: Trunkline
  readonly stop: () => Promise<void>
}

/** The first start of an installation makes an account that can be used at once. */
const firstAccount = async (core: Trunkline): Promise<void> => {
  if ((await core.admin.listAccounts({ limit: 1 })).length > 0) return
  const account = await core.admin.createAccount({ name: "default", voiceCampaigns: true })
  const { text } = await core.admin.createKey(account.id, { name: "first key" })
  process.stdout.write(
    [
      `created account ${account.id} on the plan free, with 1000 credits`,
      `API key, shown only this once: ${text}`,
      `another plan: trunkline account set --account ${account.id} --plan pro`,
      ""
    ].join("\n")
  )
}

const application = (core: Trunkline, config: Config): FastifyInstance => {
  const app = fastify({
    logger: false,
    forceCloseConnections: "idle",
    routerOptions: { caseSensitive: true, ignoreTrailingSlash: false }
  })
  const metrics = metricsOf(core)
  const reference = referencePage(config.brand)
  const openapi = JSON.stringify(core.openapi())

  app.addHook("onRequest", (request, reply, done) => {
    const began = performance.now()
    reply.raw.once("close", () =>
      metrics.answered(request.method, reply.raw.statusCode, (performance.now() - began) / 1000)
    )
    done()
  })
  app.get("/healthz", () => ({ status: "ok" }))
  app.get("/readyz", async (_, reply) => {
    const faults: Array<string> = []
    await core.ready().catch((error: Error) => faults.push(error.message))
    if (!core.workers().running) faults.push("the background work is not running")
    return faults.length === 0 ? { status: "ready" } : reply.code(503).send({ status: "not ready", faults })
  })
  app.get("/metrics", async (_, reply) => reply.type(metrics.contentType).send(await metrics.text()))
  app.get("/openapi.json", (_, reply) => reply.type("application/json").send(openapi))
  app.get("/docs", async (_, reply) => reply.type("text/html; charset=utf-8").send(await reference()))
  app.setNotFoundHandler((request, reply) => reply.code(404).send(envelopeOf(request.url)))
  app.register(trunkline(core))
  return app
}

const portOf = (text: string | undefined): number => {
  const port = Number(text ?? 8787)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError(`PORT must be a number from 0 to 65535, not ${text}`)
  return port
}

const listenFault = (error: NodeJS.ErrnoException, host: string, port: number): UsageError => {
  switch (error.code) {
    case "EADDRINUSE":
      return new UsageError(`port ${port} on ${host} is in use: stop what listens there, or set PORT`)
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new UsageError(`${host} is no address of this machine: set HOST`)
    case "EACCES":
      return new UsageError(`port ${port} may not be opened by this user: set PORT to one above 1023`)
    default:
      return new UsageError(`cannot listen on ${host}:${port}: ${error.message}`)
  }
}

/** Starts the server and its background work. */
export const serve = async (config: Config, environment: Environment): Promise<Running> => {
  const host = environment.HOST || "127.0.0.1"
  const port = portOf(environment.PORT)
  const core = await openProduct(config, environment)
  const app = application(core, config)
  try {
    await firstAccount(core)
    await app.listen({ host, port })
  } catch (error) {
    await core.stop()
    throw (error as NodeJS.ErrnoException).code === undefined || error instanceof UsageError
      ? error
      : listenFault(error as NodeJS.ErrnoException, host, port)
  }
  await core.start()
  const address = app.server.address()
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${typeof address === "object" && address !== null ? address.port : port}`

  let stopping: Promise<void> | undefined
  const stop = (): Promise<void> => {
    stopping ??= app.close().then(() => core.stop())
    return stopping
  }
  return { url, core, stop }
}

/** Prints where it listens, and stops on SIGTERM and SIGINT: no new work, running requests finish. A second signal ends the process at once. */
export const untilStopped = (running: Running): void => {
  let asked = false
  const ask = (signal: NodeJS.Signals) => {
    if (asked) process.exit(1)
    asked = true
    write({ at: new Date(), level: "info", message: `${signal}: stopping` })
    setTimeout(() => process.exit(0), patienceMs).unref()
    running.stop().then(
      () => process.exit(0),
      (error: Error) => {
        write({ at: new Date(), level: "error", message: `stopping failed: ${error.message}` })
        process.exit(1)
      }
    )
  }
  process.on("SIGTERM", ask)
  process.on("SIGINT", ask)
  // Whoever waits for this line may stop us at once.
  process.stdout.write(`listening on ${running.url}\n`)
}
