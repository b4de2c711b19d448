/** The other installation of commands that copy from one database to another. */
import type { OtherInstallation } from "@trunkline/core"
import type { Command } from "commander"
import type { Environment } from "../ConfigFile.ts"
import type { Config } from "../ConfigReader.ts"
import { nameOf, storageOf } from "../Database.ts"
import { databaseFrom } from "../Product.ts"
import { encryptionKeyOf } from "../Secret.ts"
import { UsageError } from "../UsageError.ts"
import { knownSecret } from "./ProductCommand.ts"

export interface TargetOptions {
  readonly to: string
  readonly toSecretEnv?: string
}

export const withTargetOptions = (command: Command): Command =>
  command
    .requiredOption("--to <url>", "the target's database: sqlite:<path> or postgres://…")
    .option(
      "--to-secret-env <name>",
      "the variable with the target's TRUNKLINE_SECRET, where it differs from this one's"
    )

/** Reads a variable that must be set. */
const secretIn = (environment: Environment, name: string): string => {
  const secret = environment[name]
  if (secret === undefined || secret === "")
    throw new UsageError(`${name} is not set: it must have the target's secret`)
  return secret
}

/** The installation at a database. */
export const installationAt = async (
  url: string,
  option: string,
  secret: string,
  config: Pick<Config, "database">
): Promise<OtherInstallation> => {
  const database = databaseFrom({ DATABASE_URL: url }, option)
  if (database._tag === "Memory") throw new UsageError(`${option} must name a file or a Postgres database`)
  const storage = await storageOf(database, config.database)
  return { name: nameOf(database), storage, encryptionKey: encryptionKeyOf(secret) }
}

export const targetOf = (
  environment: Environment,
  { to, toSecretEnv }: TargetOptions,
  config: Pick<Config, "database">
): Promise<OtherInstallation> => {
  const secret = toSecretEnv === undefined ? knownSecret(environment) : secretIn(environment, toSecretEnv)
  return installationAt(to, "--to", secret, config)
}

export const rowsIn = (tables: ReadonlyArray<{ readonly rows: number }>): number =>
  tables.reduce((sum, { rows }) => sum + rows, 0)
