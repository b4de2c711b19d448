/** The standalone server: reads the environment, starts the product and its HTTP server, and stops both. */
import type { Trunkline } from "@trunkline/core"
import {
  DashboardFacts,
  linkAddress,
  Members,
  ModelCatalogue,
  SearchProviders,
  Upstreams,
  Workers
} from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import fastify, { type FastifyInstance } from "fastify"
import { applicationOf, ownPaths } from "./Application.ts"
import type { Environment } from "./ConfigFile.ts"
import { type Config, readConfig } from "./ConfigReader.ts"
import { type Database, databaseOf, defaultDatabase, nameOf, storageOf } from "./Database.ts"
import { openFiles } from "./FileModes.ts"
import { type FirstAccount, firstStart } from "./FirstStart.ts"
import { type Health, healthOf } from "./Health.ts"
import { write } from "./Log.ts"
import { metricsOf } from "./Metrics.ts"
import { metricsPath, monitoringOf } from "./Monitoring.ts"
import { localAddress, withoutSlash } from "./PortalLink.ts"
import { openProduct, storageFault } from "./Product.ts"
import { runInternal } from "./RunInternal.ts"
import { loadSecret } from "./Secret.ts"
import { optionsOf } from "./ServerOptions.ts"
import { detectorNotice } from "./StandInEngine.ts"
import { type Started, serviceFaults, startLines } from "./StartLines.ts"
import { retryStart } from "./StartRetry.ts"
import { UsageError } from "./UsageError.ts"

/** Connections that are still open this time after the order to stop are closed. */
const drainMs = 4_000

export interface Running {
  readonly url: string
  /** No new work; requests finish, work is handed back. Calling it again waits for the same end. */
  readonly stop: () => Promise<void>
}

interface ServerSettings {
  readonly host: string
  readonly port: number
  /** Of the metrics; null where they stand on `port`. */
  readonly metricsPort: number | null
  readonly trustProxy: string | false
  readonly database: Database
  readonly config: Config
}

/** The settings of the environment, or everything that is wrong with them. */
export const settingsOf = (environment: Environment): Result.Result<ServerSettings, ReadonlyArray<string>> => {
  const faults: Array<string> = []
  const port = portOf(environment, "PORT", faults) ?? 8787
  const namedPort = portOf(environment, "METRICS_PORT", faults)
  const database = databaseOf(environment.DATABASE_URL || defaultDatabase)
  if ("fault" in database) faults.push(`DATABASE_URL ${database.fault}`)
  const trustProxy = environment.TRUST_PROXY || false
  const distrust = trustFault(trustProxy)
  if (distrust !== undefined) {
    faults.push(`TRUST_PROXY must be addresses or networks with commas between: ${distrust}`)
  }
  const config = readConfig(environment)
  if (Result.isFailure(config)) return Result.fail([...faults, ...config.failure])
  const metricsPort = namedPort ?? config.success.metrics.port ?? null
  if (metricsPort === port && port !== 0) {
    faults.push(`METRICS_PORT (metrics.port) must be another port than PORT; both are ${port}`)
  }
  if (faults.length > 0 || "fault" in database) return Result.fail(faults)
  return Result.succeed({
    host: environment.HOST || "127.0.0.1",
    port,
    metricsPort,
    trustProxy,
    database,
    config: config.success
  })
}

/** A port of the environment; null where it names none. */
const portOf = (environment: Environment, name: "PORT" | "METRICS_PORT", faults: Array<string>): number | null => {
  const given = environment[name]
  if (!given) return null
  const port = Number(given)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  faults.push(`${name} must be a number from 0 to 65535; it is ${JSON.stringify(given)}`)
  return null
}

/** Fastify itself checks the value. */
const trustFault = (trustProxy: string | false): string | undefined => {
  try {
    fastify({ trustProxy })
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** Where a server of ours listens, and the variable that says so. */
interface Place {
  readonly host: string
  readonly port: number
  readonly variable: "PORT" | "METRICS_PORT"
}

const listenFault = (error: unknown, { host, port, variable }: Place): unknown => {
  switch ((error as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return new UsageError(`port ${port} of ${host} is in use: end the program that listens there, or set ${variable}`)
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EINVAL":
      return new UsageError(`HOST ${host} is no address of this machine: set HOST, such as 127.0.0.1 or 0.0.0.0`)
    case "EACCES":
      return new UsageError(`port ${port} may not be opened by this user: set ${variable} to one above 1023`)
    default:
      return error
  }
}

/** As an operator types it: from sources the command is a script of npm's. */
const command = import.meta.url.endsWith(".ts") ? "npm run trunkline --" : "trunkline"

const welcome = ({ accountId, key, speechModels }: FirstAccount): string =>
  [
    `created account ${accountId} on the plan free, with 1000 credits and campaigns on`,
    `API key with all scopes, shown only this once: ${key}`,
    ...(speechModels.length === 0 ? [] : [`speech models of the plan free: ${speechModels.join(", ")}`]),
    ""
  ].join("\n")

const listen = async (app: FastifyInstance, place: Place): Promise<void> => {
  try {
    await app.listen({ host: place.host, port: place.port })
  } catch (error) {
    throw listenFault(error, place)
  }
}

const urlOf = (app: FastifyInstance, { host, port }: Pick<Place, "host" | "port">): string => {
  const address = app.server.address()
  const bound = typeof address === "object" && address !== null ? address.port : port
  return `http://${host.includes(":") ? `[${host}]` : host}:${bound}`
}

/** Starts the server and its background work, and prints where it listens. Throws `UsageError` for what the operator can fix. */
export const serve = async (environment: Environment): Promise<Running> => {
  const read = settingsOf(environment)
  if (Result.isFailure(read)) throw new UsageError(read.failure.join("\n"))
  const [settings, secret] = [read.success, loadSecret(environment)]
  return retryStart(() => startOnce(settings, secret), {
    now: () => performance.now(),
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    onRetry: ({ detail }, forMs) =>
      write({
        at: new Date(),
        level: "warn",
        message: `the database ${nameOf(settings.database)} was cut off while the server started (${detail}): starting again for up to ${forMs / 1000} s`
      })
  })
}

/** Opens the ports: the product's, and the one of the metrics where they have one. */
const openPorts = async (core: Trunkline, health: Health, settings: ServerSettings) => {
  const { config, host, metricsPort, port, trustProxy } = settings
  const showsMetrics = metricsPort === null
  const metrics = metricsOf(core, ownPaths(showsMetrics))
  const product = applicationOf(core, { brand: config.brand, health, metrics, showsMetrics, trustProxy })
  await listen(product, { host, port, variable: "PORT" })
  const url = urlOf(product, { host, port })
  if (showsMetrics) return { apps: [product], url, metricsUrl: null }
  const monitoring = monitoringOf(health, metrics)
  try {
    await listen(monitoring, { host, port: metricsPort, variable: "METRICS_PORT" })
  } catch (error) {
    await product.close()
    throw error
  }
  return { apps: [product, monitoring], url, metricsUrl: urlOf(monitoring, { host, port: metricsPort }) + metricsPath }
}

/** What a start speaks of. */
const startedOf = async (core: Trunkline): Promise<Started> => {
  const accounts = await core.admin.listAccounts({ limit: 2 })
  return runInternal(
    core,
    Effect.gen(function* () {
      const upstreams = Option.getOrNull(yield* Effect.serviceOption(Upstreams))
      if (upstreams === null) return { accounts, gateway: null }
      const { all: models } = yield* ModelCatalogue
      const searches = (yield* SearchProviders).all.map(({ name }) => name)
      return { accounts, gateway: { upstreams, models, searches } }
    })
  )
}

/** While nobody has signed in yet: where the first owner does. It works once, and for a while. Source: docs/reference/sign-in.md#first. */
const ownerLines = async (
  core: Trunkline,
  { config, host }: ServerSettings,
  listening: string
): Promise<ReadonlyArray<string>> => {
  if (!core.matches("/dashboard/") || !core.matches("/api/v1/session")) return []
  const [made, { publicUrl }] = await runInternal(
    core,
    Effect.all([Members.use(({ firstOwnerLink }) => firstOwnerLink), DashboardFacts])
  )
  if (made === null) return []
  const address = publicUrl ?? config.server.publicUrl ?? localAddress({ HOST: host, PORT: new URL(listening).port })
  return [`dashboard: ${linkAddress(address, made.text)}`]
}

/** What an operator reads at the start. */
const announce = async (
  core: Trunkline,
  settings: ServerSettings,
  { metricsUrl, url }: Awaited<ReturnType<typeof openPorts>>
): Promise<void> => {
  const { config, database } = settings
  const started = await startedOf(core)
  const open = openFiles(database)
  for (const message of [...(open === null ? [] : [open]), ...serviceFaults(started)]) {
    write({ level: "warn", message, at: new Date() })
  }
  const lines = [
    ...startLines(started, { url: withoutSlash(config.server.publicUrl ?? url), command }),
    await detectorNotice(),
    ...(metricsUrl === null ? [] : [`metrics on ${metricsUrl}`]),
    ...(await ownerLines(core, settings, url)),
    `listening on ${url}`
  ]
  process.stdout.write(`${lines.join("\n")}\n`)
}

const startOnce = async (settings: ServerSettings, secret: string): Promise<Running> => {
  const { config, database } = settings
  const storage = await storageOf(database, config.database)
  const core = await openProduct(await optionsOf({ config, storage, secret }), database)
  const health = healthOf(core, { dials: config.workers.dialer ?? true })
  try {
    const ports = await openPorts(core, health, settings)
    const { apps, url } = ports
    try {
      const first = await firstStart(core, config.brand.keyPrefix)
      if (first !== null) process.stdout.write(welcome(first))
      await core.start()
      await announce(core, settings, ports)
    } catch (error) {
      await Promise.all(apps.map((app) => app.close()))
      throw storageFault(error, database) ?? error
    }
    return { url, stop: once(() => stop(apps, core, health)) }
  } catch (error) {
    await core.stop()
    throw error
  }
}

const stop = async (apps: ReadonlyArray<FastifyInstance>, core: Trunkline, health: Health): Promise<void> => {
  health.stop()
  const deadline = setTimeout(() => {
    for (const { server } of apps) server.closeAllConnections()
  }, drainMs)
  // Concurrently: a request that hangs does not shorten the time that deliveries have.
  await Promise.all([
    ...apps.map((app) => app.close()),
    runInternal(
      core,
      Workers.use((workers) => workers.stop)
    )
  ])
  clearTimeout(deadline)
  await core.stop()
}

const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
