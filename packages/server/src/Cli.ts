/** The `trunkline` command: the server, and what an operator does to accounts, keys and credits. */
import { type Trunkline, TrunklineError } from "@trunkline/core"
import { type Account, Wire } from "@trunkline/core/effect"
import { Command, CommanderError, InvalidArgumentError, Option } from "commander"
import { loadConfig } from "./Config.ts"
import { defaultDatabase } from "./Database.ts"
import { type Environment, openProduct } from "./Product.ts"
import { serve, untilStopped } from "./Serve.ts"
import { UsageError } from "./UsageError.ts"

const plans = ["free", "starter", "pro", "enterprise"]

interface Common {
  readonly json?: boolean
  readonly database?: string
}

/** A record as people and programs read it: wire names, ISO instants, credits as decimal text. */
const rendered = (record: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      Wire.snakeName(name),
      value !== null && /(At|Deadline)$|^at$/.test(name)
        ? new Date(value as number).toISOString()
        : typeof value === "bigint"
          ? credits(value)
          : value
    ])
  )

const credits = (nano: bigint): string => {
  const fraction = (nano % 1_000_000_000n).toString().padStart(9, "0").replace(/0+$/, "")
  return `${nano / 1_000_000_000n}${fraction === "" ? "" : `.${fraction}`}`
}

const account = ({ voiceCampaigns, ...rest }: Account): Record<string, unknown> => ({
  ...rendered(rest),
  features: { voice_campaigns: voiceCampaigns }
})

const print = (answer: object, { json }: Common): void => {
  if (json === true) {
    process.stdout.write(`${JSON.stringify(answer)}\n`)
    return
  }
  for (const one of Array.isArray(answer) ? answer : [answer]) {
    for (const [name, value] of Object.entries(one)) {
      process.stdout.write(
        `${name.padEnd(20)} ${typeof value === "object" && value !== null ? JSON.stringify(value) : String(value)}\n`
      )
    }
    if (Array.isArray(answer)) process.stdout.write("\n")
  }
}

const list = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")

const count = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError("Expected a whole number above zero.")
  return value
}

const instant = (text: string): Date => {
  const at = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text)
  if (Number.isNaN(at.getTime())) throw new InvalidArgumentError("Expected a date or an ISO 8601 instant.")
  return at
}

const permissions = ["llm", "stt", "tts", "image", "search"] as const

const permissionList = (text: string) =>
  list(text).map((name) => {
    const known = permissions.find((permission) => permission === name)
    if (known === undefined) throw new InvalidArgumentError(`The permissions are ${permissions.join(", ")}.`)
    return known
  })

const amount = (text: string): string => {
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(text))
    throw new InvalidArgumentError("Expected a decimal amount with up to nine decimal places.")
  return text
}

const nano = (text: string): bigint => {
  const [whole = "0", fraction = ""] = amount(text).split(".")
  return BigInt(whole) * 1_000_000_000n + BigInt(fraction.padEnd(9, "0"))
}

/** Builds the command. `environment` is the process's. */
export const commandLine = (environment: Environment, version: string): Command => {
  const program = new Command("trunkline")
    .description("Outbound calling campaigns, self-hosted")
    .version(version)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .showHelpAfterError(false)

  /** Opens the product without background work, does one thing and closes it. */
  const act = async (options: Common, work: (core: Trunkline) => Promise<object>): Promise<void> => {
    const own = options.database === undefined ? environment : { ...environment, DATABASE_URL: options.database }
    const core = await openProduct(loadConfig(own), own)
    try {
      print(await work(core), options)
    } finally {
      await core.stop()
    }
  }

  const group = (name: string, description: string) => program.command(name).description(description).exitOverride()

  const command = (of: Command, name: string, description: string) =>
    of
      .command(name)
      .description(description)
      .exitOverride()
      .option("--json", "print one JSON value")
      .option("--database <url>", `instead of DATABASE_URL (${defaultDatabase})`)

  program
    .command("serve")
    .description("start the server")
    .exitOverride()
    .action(async () => untilStopped(await serve(loadConfig(environment), environment)))

  const accounts = group("account", "accounts")
  command(accounts, "create", "make an account with 1000 credits")
    .requiredOption("--name <name>", "its name")
    .addOption(new Option("--plan <plan>", "its plan").choices(plans).default("free"))
    .action((o) =>
      act(o, async (core) =>
        account(await core.admin.createAccount({ name: o.name, plan: o.plan, voiceCampaigns: true }))
      )
    )
  command(accounts, "set", "change an account")
    .requiredOption("--account <id>", "which account")
    .addOption(new Option("--plan <plan>", "its plan").choices(plans))
    .addOption(new Option("--status <status>", "its status").choices(["active", "inactive", "terminated"]))
    .addOption(new Option("--voice-campaigns <switch>", "the feature").choices(["on", "off"]))
    .addOption(new Option("--payment <state>", "its payment method").choices(["verified", "missing", "grace"]))
    .addOption(new Option("--deadline <date>", "the end of the grace period").argParser(instant))
    .addOption(new Option("--monthly-budget <credits>", "credits a month").argParser(nano))
    .action((o) =>
      act(o, async (core) => {
        if (o.payment === "grace" && o.deadline === undefined)
          throw new UsageError("--payment grace needs --deadline DATE")
        if (o.deadline !== undefined && o.payment !== "grace")
          throw new UsageError("--deadline goes with --payment grace")
        const change = {
          ...(o.plan === undefined ? {} : { plan: o.plan }),
          ...(o.status === undefined ? {} : { status: o.status }),
          ...(o.voiceCampaigns === undefined ? {} : { voiceCampaigns: o.voiceCampaigns === "on" }),
          ...(o.payment === undefined
            ? {}
            : { paymentMethod: o.payment, paymentDeadline: o.deadline === undefined ? null : o.deadline.getTime() }),
          ...(o.monthlyBudget === undefined ? {} : { monthlyBudget: o.monthlyBudget })
        }
        if (Object.keys(change).length === 0)
          throw new UsageError(
            "nothing to change: name at least one of --plan, --status, --voice-campaigns, --payment, --monthly-budget"
          )
        return account(await core.admin.changeAccount(o.account, change))
      })
    )

  const keys = group("key", "API keys")
  command(keys, "create", "make an API key and show it, this once")
    .requiredOption("--account <id>", "whose key")
    .addOption(new Option("--scopes <list>", "default all").argParser(list))
    .addOption(new Option("--permissions <list>", "default all").argParser(permissionList))
    .addOption(new Option("--budget <credits>", "credits that it may spend").argParser(amount))
    .addOption(new Option("--budget-period <period>", "of the budget").choices(["total", "month"]).default("total"))
    .addOption(new Option("--expires <time>", "when it ends").argParser(instant))
    .addOption(new Option("--models <list>", "models that it may use").argParser(list))
    .addOption(new Option("--domains <list>", "browser origins that may use it").argParser(list))
    .addOption(new Option("--search-providers <list>", "search providers that it may use").argParser(list))
    .addOption(new Option("--rpm <n>", "requests a minute").argParser(count))
    .addOption(new Option("--concurrency <n>", "requests at once").argParser(count))
    .action((o) =>
      act(o, async (core) => {
        const { text, ...key } = await core.admin.createKey(o.account, {
          budgetPeriod: o.budgetPeriod,
          ...(o.scopes === undefined ? {} : { scopes: o.scopes }),
          ...(o.permissions === undefined ? {} : { permissions: o.permissions }),
          ...(o.budget === undefined ? {} : { budget: o.budget }),
          ...(o.expires === undefined ? {} : { expiresAt: o.expires }),
          ...(o.models === undefined ? {} : { models: o.models }),
          ...(o.domains === undefined ? {} : { domains: o.domains }),
          ...(o.searchProviders === undefined ? {} : { searchProviders: o.searchProviders }),
          ...(o.rpm === undefined ? {} : { requestsPerMinute: o.rpm }),
          ...(o.concurrency === undefined ? {} : { concurrency: o.concurrency })
        })
        const { id, ...rest } = rendered(key)
        return { id, key: text, ...rest }
      })
    )
  command(keys, "revoke", "end an API key")
    .requiredOption("--key <id>", "which key")
    .action((o) => act(o, async (core) => rendered(await core.admin.revokeKey(o.key))))

  command(group("token", "dashboard tokens"), "create", "sign a dashboard token that lives for a day")
    .requiredOption("--account <id>", "for which account")
    .requiredOption("--role <role>", "owner, admin, member, viewer …")
    .option("--subject <name>", "who", "operator")
    .action((o) =>
      act(o, async (core) => {
        const { expiresAt, token } = await core.admin.createToken(o.account, { role: o.role, subject: o.subject })
        return { token, expires_at: expiresAt.toISOString() }
      })
    )

  command(group("credits", "credits"), "add", "add credits to an account")
    .requiredOption("--account <id>", "which account")
    .requiredOption("--amount <credits>", "how many, with up to nine decimal places", amount)
    .action((o) =>
      act(o, async (core) => ({
        account_id: o.account,
        added: o.amount,
        balance: await core.admin.addCredits(o.account, o.amount)
      }))
    )

  command(program, "audit", "what was done to an account, newest first")
    .requiredOption("--account <id>", "which account")
    .option("--limit <n>", "how many", count, 100)
    .action((o) => act(o, async (core) => (await core.admin.audit(o.account, { limit: o.limit })).map(rendered)))

  group("config", "the configuration file")
    .command("check")
    .description("say everything that is wrong with it")
    .exitOverride()
    .argument("[file]", "instead of TRUNKLINE_CONFIG")
    .action((file?: string) => {
      loadConfig(file === undefined ? environment : { ...environment, TRUNKLINE_CONFIG: file })
      process.stdout.write("the configuration is in order\n")
    })

  return program
}

/** Runs one command; what the caller can mend is one line on standard error and exit code 1. */
export const run = async (
  arguments_: ReadonlyArray<string>,
  environment: Environment,
  version: string
): Promise<number> => {
  try {
    const program = commandLine(environment, version)
    if (arguments_.length === 0) {
      process.stderr.write("trunkline: name a command; trunkline --help lists them\n")
      return 1
    }
    await program.parseAsync([...arguments_], { from: "user" })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0
      const line =
        error.code === "commander.help"
          ? "name a command; trunkline --help lists them"
          : error.message.replace(/^error: /, "")
      process.stderr.write(`trunkline: ${line}\n`)
      return 1
    }
    if (error instanceof UsageError || error instanceof TrunklineError) {
      process.stderr.write(`trunkline: ${error.message}\n`)
      return 1
    }
    process.stderr.write(`trunkline: ${(error as Error).stack ?? String(error)}\n`)
    return 1
  }
}
