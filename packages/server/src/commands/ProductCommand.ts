/** Commands that open the product without background work, do one thing and close it. */
import type { Trunkline } from "@trunkline/core"
import type { Command } from "commander"
import type { Environment } from "../ConfigFile.ts"
import { type Config, loadConfig } from "../ConfigReader.ts"
import { type Database, defaultDatabase, exists, nameOf, storageOf } from "../Database.ts"
import * as OutputFormat from "../OutputFormat.ts"
import { basicOptions, databaseFrom, openProduct, storageFault } from "../Product.ts"
import { loadSecret, presentSecret } from "../Secret.ts"
import { UsageError } from "../UsageError.ts"

/** Completes a command or a group of commands: options, subcommands and what they do. `environment` is the process's. */
export type AddCommand = (command: Command, environment: Environment) => void

export interface CommonOptions {
  readonly json?: boolean
  readonly database?: string
}

/** What a command needs beside the database. */
interface Needs {
  /** A database that does not exist yet is created. */
  readonly createsDatabase?: boolean
  /** Encrypted secrets are read: the command must have the server's secret, and must not create another. */
  readonly decrypts?: boolean
  /** Tokens are signed: the command must have the secret that the server verifies with. */
  readonly signs?: boolean
  /** A link to the dashboard is made: the file may say where browsers reach it. */
  readonly links?: boolean
  /** The models of the file that `models.catalogue` names are read. */
  readonly catalogue?: boolean
}

type Work = (core: Trunkline, config: Config) => Promise<OutputFormat.Answer>

/** Adds the options that every command of the product has. */
export const withCommonOptions = (command: Command): Command =>
  withDatabaseOption(command.option("--json", "print one JSON value"))

export const withDatabaseOption = (command: Command): Command =>
  command.option("--database <url>", `instead of DATABASE_URL (${defaultDatabase})`)

/** The environment with the database of the command's option. */
export const withDatabase = (environment: Environment, { database }: CommonOptions): Environment =>
  database === undefined ? environment : { ...environment, DATABASE_URL: database }

export const knownSecret = (environment: Environment): string => {
  const secret = presentSecret(environment)
  if (secret !== null) return secret
  throw new UsageError("the server's secret is not here: set TRUNKLINE_SECRET, or change to the folder it runs in")
}

const usableDatabase = (environment: Environment, options: CommonOptions, createsDatabase: boolean): Database => {
  const database = databaseFrom(environment, options.database === undefined ? "DATABASE_URL" : "--database")
  if (database._tag === "Memory") {
    throw new UsageError(
      "a database in memory belongs to the server's process alone: name a file or a Postgres database"
    )
  }
  if (!createsDatabase && !exists(database)) {
    throw new UsageError(`there is no database ${nameOf(database)} yet: start the server, or make an account first`)
  }
  return database
}

/**
 * Opens the product, runs `work` and prints its answer. Only the sections that the command needs are checked: a carrier's
 * token that only the server's environment has does not keep an operator from making a key.
 */
export const onProduct = async (
  given: Environment,
  options: CommonOptions,
  { catalogue = false, createsDatabase = false, decrypts = false, links = false, signs = false }: Needs,
  work: Work
): Promise<void> => {
  const environment = withDatabase(given, options)
  const database = usableDatabase(environment, options, createsDatabase)
  const sections = [
    "brand",
    "server",
    "auth",
    "database",
    ...(decrypts ? (["secrets"] as const) : []),
    ...(links ? (["dashboard"] as const) : [])
  ] as const
  const config = loadConfig(environment, { sections, catalogue })
  const needsSecret = decrypts || (signs && config.auth.jwt?.secret === undefined)
  const secret = needsSecret ? knownSecret(environment) : loadSecret(environment)
  const storage = await storageOf(database, config.database)
  const models = config.catalogue === null ? {} : { models: { catalogue: config.catalogue } }
  const core = await openProduct({ ...basicOptions({ config, storage, secret }), ...models }, database)
  try {
    const answer = await work(core, config)
    process.stdout.write(options.json === true ? OutputFormat.json(answer) : OutputFormat.text(answer))
  } catch (error) {
    throw storageFault(error, database) ?? error
  } finally {
    await core.stop()
  }
}

/** Every entry there is, page by page. */
export const allPages = async <A>(
  page: (options: { readonly limit: number; readonly offset: number }) => Promise<ReadonlyArray<A>>
): Promise<ReadonlyArray<A>> => {
  const limit = 500
  const found: Array<A> = []
  for (;;) {
    const next = await page({ limit, offset: found.length })
    found.push(...next)
    if (next.length < limit) return found
  }
}
