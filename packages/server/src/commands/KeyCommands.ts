/** `trunkline key`: make, list, change, rotate and revoke API keys. */
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

const none = "none"

/** A value of an option, or the word `none`: it removes a limit. */
const orNone =
  <A>(read: (text: string) => A) =>
  (text: string): A | typeof none =>
    text === none ? none : read(text)

const addSet = (keys: Command, environment: Environment): void => {
  withCommonOptions(keys.command("set"))
    .description("change what an API key may do, from its next request on; none removes a limit")
    .requiredOption("--key <id>", "which key: its id, as key list shows it", Values.id)
    .option("--name <name>", "to recognise it by", orNone(Values.words))
    .option("--scopes <list>", "what it may do", Values.list)
    .option("--permissions <list>", "services that it may use", Values.permissions)
    .option("--budget <credits>", "credits that it may spend", orNone(Values.amount))
    .addOption(new Option("--budget-period <period>", "of the budget").choices(["total", "month"]))
    .option("--expires <time>", "when it ends: an instant in the future", orNone(Values.instant))
    .option("--models <list>", "models of the catalogue that it may use", orNone(Values.list))
    .option("--domains <list>", "browser origins that may use it", orNone(Values.domains))
    .option("--search-providers <list>", "search providers that it may use", orNone(Values.list))
    .option("--rpm <n>", "requests a minute", orNone(Values.count))
    .option("--concurrency <n>", "requests at once", orNone(Values.count))
    .action(({ database, expires, json, key, rpm, ...limits }) =>
      onProduct(
        environment,
        { database, json },
        { catalogue: limits.models !== undefined },
        async (core, { brand }) => {
          const given = defined({ ...limits, expiresAt: expires, requestsPerMinute: rpm })
          const change = Object.fromEntries(
            Object.entries(given).map(([name, value]) => [name, value === none ? null : value])
          )
          const changed = await core.admin.changeKey(key, change)
          return { id: changed.id, ...OutputFormat.key(changed, brand.channel) }
        }
      )
    )
}

const addRotate = (keys: Command, environment: Environment): void => {
  withCommonOptions(keys.command("rotate"))
    .description("give an API key another secret and show it, this once; id, limits and spend stay")
    .requiredOption("--key <id>", "which key: its id, as key list shows it", Values.id)
    .option("--overlap <seconds>", "how long the present secret works as well (default: a day)", Values.overlap)
    .action(({ database, json, key, overlap }) =>
      onProduct(environment, { database, json }, {}, async (core, { brand }) => {
        const { text, ...rotated } = await core.admin.rotateKey(key, defined({ overlapSeconds: overlap }))
        return { id: rotated.id, key: text, ...OutputFormat.key(rotated, brand.channel) }
      })
    )
}

export const addKeyCommands: AddCommand = (keys, environment) => {
  addCreate(keys, environment)
  addSet(keys, environment)
  addRotate(keys, environment)
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
