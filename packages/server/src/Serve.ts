/** The standalone server: reads the environment, starts the product and its HTTP server, and stops both. */
import type { Trunkline } from "@trunkline/core"
import { Workers } from "@trunkline/core/effect"
import * as Result from "effect/Result"
import fastify, { type FastifyInstance } from "fastify"
import { applicationOf } from "./Application.ts"
import { type Config, readConfig } from "./Config.ts"
import type { Environment } from "./ConfigFile.ts"
import { type Database, databaseOf, defaultDatabase, nameOf, storageOf } from "./Database.ts"
import { openFiles } from "./FileModes.ts"
import { type FirstAccount, firstStart } from "./FirstStart.ts"
import { type Health, healthOf } from "./Health.ts"
import { write } from "./Log.ts"
import { openProduct, storageFault } from "./Product.ts"
import { runInternal } from "./RunInternal.ts"
import { loadSecret } from "./Secret.ts"
import { optionsOf } from "./ServerOptions.ts"
import { retryStart } from "./StartRetry.ts"
import { detectorNotice, engineNotice } from "./Upstreams.ts"
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
  readonly trustProxy: string | false
  readonly database: Database
  readonly config: Config
}

/** The settings of the environment, or everything that is wrong with them. */
export const settingsOf = (environment: Environment): Result.Result<ServerSettings, ReadonlyArray<string>> => {
  const faults: Array<string> = []
  const port = Number(environment.PORT || 8787)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    faults.push(`PORT must be a number from 0 to 65535; it is ${JSON.stringify(environment.PORT)}`)
  }
  const database = databaseOf(environment.DATABASE_URL || defaultDatabase)
  if ("fault" in database) faults.push(`DATABASE_URL ${database.fault}`)
  const trustProxy = environment.TRUST_PROXY || false
  const distrust = trustFault(trustProxy)
  if (distrust !== undefined) {
    faults.push(`TRUST_PROXY must be addresses or networks with commas between: ${distrust}`)
  }
  const config = readConfig(environment)
  if (Result.isFailure(config)) return Result.fail([...faults, ...config.failure])
  if (faults.length > 0 || "fault" in database) return Result.fail(faults)
  return Result.succeed({
    host: environment.HOST || "127.0.0.1",
    port,
    trustProxy,
    database,
    config: config.success
  })
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

const listenFault = (error: unknown, { host, port }: ServerSettings): unknown => {
  switch ((error as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return new UsageError(`port ${port} of ${host} is in use: end the program that listens there, or set PORT`)
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EINVAL":
      return new UsageError(`HOST ${host} is no address of this machine: set HOST, such as 127.0.0.1 or 0.0.0.0`)
    case "EACCES":
      return new UsageError(`port ${port} may not be opened by this user: set PORT to one above 1023`)
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
    `speech models of the plan free: ${speechModels.join(", ")}`,
    `to change its plan: ${command} account set --account ${accountId} --plan pro`,
    ""
  ].join("\n")

const urlOf = (app: FastifyInstance, { host, port }: ServerSettings): string => {
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

const startOnce = async (settings: ServerSettings, secret: string): Promise<Running> => {
  const { config, database } = settings
  const storage = await storageOf(database, config.database)
  const core = await openProduct(optionsOf({ config, storage, secret }), database)
  const health = healthOf(core, { dials: config.workers.dialer ?? true })
  try {
    const app = applicationOf(core, { brand: config.brand, health, trustProxy: settings.trustProxy })
    try {
      await app.listen({ host: settings.host, port: settings.port })
    } catch (error) {
      throw listenFault(error, settings)
    }
    try {
      const first = await firstStart(core, config.brand.keyPrefix)
      if (first !== null) process.stdout.write(welcome(first))
      await core.start()
    } catch (error) {
      await app.close()
      throw storageFault(error, database) ?? error
    }
    const url = urlOf(app, settings)
    const open = openFiles(database)
    if (open !== null) write({ level: "warn", message: open, at: new Date() })
    const notice = engineNotice(config.models)
    if (notice?.level === "info") process.stdout.write(`${notice.message}\n`)
    process.stdout.write(`${detectorNotice()}\n`)
    if (notice?.level === "warn") write({ ...notice, at: new Date() })
    process.stdout.write(`listening on ${url}\n`)
    return { url, stop: once(() => stop(app, core, health)) }
  } catch (error) {
    await core.stop()
    throw error
  }
}

const stop = async (app: FastifyInstance, core: Trunkline, health: Health): Promise<void> => {
  health.stop()
  const deadline = setTimeout(() => app.server.closeAllConnections(), drainMs)
  // Concurrently: a request that hangs does not shorten the time that deliveries have.
  await Promise.all([
    app.close(),
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
