/** `trunkline backup`: a copy of a SQLite database, while the server runs. Source: docs/reference/operations.md#sqlite-backup. */
import { StorageError } from "@trunkline/core/provider"
import type { Environment } from "../ConfigFile.ts"
import { type Database, nameOf } from "../Database.ts"
import * as OutputFormat from "../OutputFormat.ts"
import { databaseFrom } from "../Product.ts"
import { secretFile } from "../Secret.ts"
import { UsageError } from "../UsageError.ts"
import { type AddCommand, type CommonOptions, withCommonOptions, withDatabase } from "./ProductCommand.ts"

const fileOf = (database: Database): string => {
  if (database._tag === "File") return database.path
  throw new UsageError(
    database._tag === "Memory"
      ? "a database in memory ends with its process: name a file"
      : `${nameOf(database)} is backed up with the tools of Postgres: docs/reference/operations.md#postgres-backup`
  )
}

const backUp = async (given: Environment, options: CommonOptions, file: string): Promise<void> => {
  const environment = withDatabase(given, options)
  const from = fileOf(databaseFrom(environment, options.database === undefined ? "DATABASE_URL" : "--database"))
  const { backup } = await import("@trunkline/storage-sqlite")
  try {
    const done = await backup(from, file)
    const next = environment.TRUNKLINE_SECRET
      ? "keep TRUNKLINE_SECRET with it: without it, stored secrets cannot be read"
      : `keep ${secretFile} with it: without it, stored secrets cannot be read`
    const answer = { ...done, next }
    process.stdout.write(options.json === true ? OutputFormat.json(answer) : OutputFormat.text(answer))
  } catch (error) {
    throw error instanceof StorageError ? new UsageError(`no backup was made: ${error.detail}`, error) : error
  }
}

export const addBackup: AddCommand = (command, environment) => {
  withCommonOptions(command)
    .argument("<file>", "the copy, which must not exist yet")
    .action((file: string, options: CommonOptions) => backUp(environment, options, file))
}
