/** `trunkline migrate`: the whole installation moves to another database. Source: docs/reference/moving-accounts.md#installation. */
import { migrateTrunkline } from "@trunkline/core"
import { loadConfig } from "../ConfigReader.ts"
import { exists, isInUse, nameOf } from "../Database.ts"
import * as OutputFormat from "../OutputFormat.ts"
import { databaseFrom, storageFault } from "../Product.ts"
import { UsageError } from "../UsageError.ts"
import { installationAt, rowsIn, type TargetOptions, targetOf, withTargetOptions } from "./MoveTarget.ts"
import { type AddCommand, knownSecret } from "./ProductCommand.ts"

interface MigrateOptions extends TargetOptions {
  readonly from: string
  readonly json?: boolean
}

export const addMigrate: AddCommand = (command, environment) => {
  withTargetOptions(command)
    .requiredOption("--from <url>", "the source's database, which no process may use: sqlite:<path> or postgres://…")
    .option("--json", "print one JSON value")
    .action(async (o: MigrateOptions) => {
      const source = databaseFrom({ DATABASE_URL: o.from }, "--from")
      if (!exists(source)) throw new UsageError(`there is no database ${nameOf(source)}`)
      try {
        if (await isInUse(source)) {
          throw new UsageError(
            `the database ${nameOf(source)} is in use: stop every process of it first, and try again`
          )
        }
        const config = loadConfig(environment, { sections: ["database", "secrets"], catalogue: false })
        const from = await installationAt(o.from, "--from", knownSecret(environment), config)
        const to = await targetOf(environment, o, config)
        const tables = await migrateTrunkline(from, to)
        const answer = { migrated_to: to.name, rows: rowsIn(tables), tables: tables.length }
        process.stdout.write(o.json === true ? OutputFormat.json(answer) : OutputFormat.text(answer))
      } catch (error) {
        throw storageFault(error, source) ?? error
      }
    })
}
