/** `trunkline key`: make, list and revoke API keys. */
import { Instant } from "@trunkline/core/effect"
import { type Command, Option } from "commander"
import type { Environment } from "../ConfigFile.ts"
import { defined } from "../Defined.ts"
import * as OutputFormat from "../OutputFormat.ts"
import * as Values from "./OptionValues.ts"
import { type AddCommand, allPages, onProduct, withCommonOptions } from "./ProductCommand.ts"

const addCreate = (keys: Command, environment: Environment): void => {
  withCommonOptions(keys.command("create"))
    .description("make an API key and show it, this once")
    .requiredOption("--account <id>", "whose key", Values.id)
    .option("--name <name>", "to recognise it by", Values.words)
    .option("--scopes <list>", "what it may do (default: everything)", Values.list)
    .option("--permissions <list>", "services that it may use (default: all)", Values.permissions)
    .option("--budget <credits>", "credits that it may spend", Values.amount)
    .addOption(new Option("--budget-period <period>", "of the budget").choices(["total", "month"]).default("total"))
    .option("--expires <time>", "when it ends: an instant in the future", Values.instant)
    .option("--models <list>", "models of the catalogue that it may use", Values.list)
    .option("--domains <list>", "browser origins that may use it", Values.domains)
    .option("--search-providers <list>", "search providers that it may use", Values.list)
    .option("--rpm <n>", "requests a minute", Values.count)
    .option("--concurrency <n>", "requests at once", Values.count)
    .action(({ account, database, expires, json, rpm, ...limits }) =>
      onProduct(
        environment,
        { database, json },
        { catalogue: limits.models !== undefined },
        async (core, { brand }) => {
          const expiresAt = expires === undefined ? undefined : new Date(expires)
          const { text, ...made } = await core.admin.createKey(
            account,
            defined({ ...limits, expiresAt, requestsPerMinute: rpm })
          )
          return { id: made.id, key: text, ...OutputFormat.key(made, brand.channel) }
        }
      )
    )
}

export const addKeyCommands: AddCommand = (keys, environment) => {
  addCreate(keys, environment)
  withCommonOptions(keys.command("list"))
    .description("list an account's API keys, newest first")
    .requiredOption("--account <id>", "whose keys", Values.id)
    .action((o) =>
      onProduct(environment, o, {}, async ({ admin }, { brand }) => {
        const records = await allPages((page) => admin.listKeys(o.account, page))
        return OutputFormat.keys(records, brand.channel, Instant.make(Date.now()))
      })
    )
  withCommonOptions(keys.command("revoke"))
    .description("end an API key")
    .requiredOption("--key <id>", "which key: its id, as key list shows it", Values.id)
    .action((o) =>
      onProduct(environment, o, {}, async (core, { brand }) => {
        const revoked = await core.admin.revokeKey(o.key)
        return { id: revoked.id, ...OutputFormat.key(revoked, brand.channel) }
      })
    )
}
