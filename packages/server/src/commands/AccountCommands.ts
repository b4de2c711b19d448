/** `trunkline account`: make, change and look at accounts. */
import type { Trunkline } from "@trunkline/core"
import { Money } from "@trunkline/core/effect"
import { Plans, startingCredits } from "@trunkline/core/provider"
import { type Command, Option } from "commander"
import type { Environment } from "../ConfigFile.ts"
import { defined } from "../Defined.ts"
import * as OutputFormat from "../OutputFormat.ts"
import { UsageError } from "../UsageError.ts"
import { rowsIn, type TargetOptions, targetOf, withTargetOptions } from "./MoveTarget.ts"
import * as Values from "./OptionValues.ts"
import { type AddCommand, allPages, type CommonOptions, onProduct, withCommonOptions } from "./ProductCommand.ts"

const plans = ["free", "starter", "pro", "enterprise"]

const bonuses = Object.entries(Plans.plans)
  .filter(([, { bonus }]) => bonus > 0n)
  .map(([name, { bonus }]) => `${name} ${Money.formatCredits(bonus)}`)
  .join(", ")

const shown = async (core: Trunkline, id: string) => OutputFormat.account(await core.admin.getAccount(id))

const addCreate = (accounts: Command, environment: Environment): void => {
  withCommonOptions(accounts.command("create"))
    .description(
      `make an account with ${Money.formatCredits(startingCredits)} credits, and those that its plan includes each month (${bonuses})`
    )
    .requiredOption("--name <name>", "its name")
    .addOption(new Option("--plan <plan>", "its plan").choices(plans).default("free"))
    .action((o) =>
      onProduct(environment, o, { createsDatabase: true }, async (core) =>
        shown(core, (await core.admin.createAccount({ name: o.name, plan: o.plan, voiceCampaigns: true })).id)
      )
    )
}

interface SetOptions extends CommonOptions {
  readonly account: string
  readonly plan?: "free" | "starter" | "pro" | "enterprise"
  readonly status?: "active" | "inactive" | "terminated"
  readonly voiceCampaigns?: "on" | "off"
  readonly payment?: "verified" | "missing" | "grace"
  readonly deadline?: ReturnType<typeof Values.instant>
  readonly monthlyBudget?: ReturnType<typeof Values.budget>
}

/** The change that options ask for; throws `UsageError` where they contradict each other or ask for nothing. */
const changeOf = (o: SetOptions) => {
  if (o.payment === "grace" && o.deadline === undefined) throw new UsageError("--payment grace needs --deadline DATE")
  if (o.payment !== "grace" && o.deadline !== undefined) throw new UsageError("--deadline goes with --payment grace")
  const change = defined({
    plan: o.plan,
    status: o.status,
    voiceCampaigns: o.voiceCampaigns === undefined ? undefined : o.voiceCampaigns === "on",
    paymentMethod: o.payment,
    paymentDeadline: o.payment === undefined ? undefined : (o.deadline ?? null),
    monthlyBudget: o.monthlyBudget === "none" ? null : o.monthlyBudget
  })
  if (Object.keys(change).length === 0) {
    throw new UsageError("nothing to change: add --plan, --status, --voice-campaigns, --payment or --monthly-budget")
  }
  return change
}

const addSet = (accounts: Command, environment: Environment): void => {
  withCommonOptions(accounts.command("set"))
    .description("change an account")
    .requiredOption("--account <id>", "which account", Values.id)
    .addOption(new Option("--plan <plan>", "its plan").choices(plans))
    .addOption(new Option("--status <status>", "its status").choices(["active", "inactive", "terminated"]))
    .addOption(new Option("--voice-campaigns <switch>", "the feature").choices(["on", "off"]))
    .addOption(new Option("--payment <state>", "its payment method").choices(["verified", "missing", "grace"]))
    .option("--deadline <date>", "the end of the grace period", Values.instant)
    .option("--monthly-budget <credits>", "credits a month, or none", Values.budget)
    .action((o: SetOptions) => {
      const change = changeOf(o)
      return onProduct(environment, o, {}, async (core) =>
        shown(core, (await core.admin.changeAccount(o.account, change)).id)
      )
    })
}

const addMove = (accounts: Command, environment: Environment): void => {
  withTargetOptions(withCommonOptions(accounts.command("move")))
    .description("move an account to another installation; run it again after a failure")
    .argument("<account>", "which account", Values.id)
    .option("--wait <seconds>", "how long calls and requests under way are waited for", Values.seconds, 600)
    .option("--cancel", "end a move that is not finished: the account works on here")
    .action(async (id: string, o: CommonOptions & TargetOptions & MoveCommandOptions) =>
      onProduct(environment, o, { decrypts: true }, async (core, config) => {
        const target = await targetOf(environment, o, config)
        if (o.cancel === true) {
          await core.cancelMove(id, target)
          return { account: id, cancelled: true }
        }
        const { tables } = await core.move(id, target, { waitSeconds: o.wait })
        return { account: id, moved_to: target.name, rows: rowsIn(tables) }
      })
    )
}

interface MoveCommandOptions {
  readonly wait: number
  readonly cancel?: boolean
}

export const addAccountCommands: AddCommand = (accounts, environment) => {
  addCreate(accounts, environment)
  addSet(accounts, environment)
  addMove(accounts, environment)
  withCommonOptions(accounts.command("show"))
    .description("show an account with its balance and what it has spent this month")
    .requiredOption("--account <id>", "which account", Values.id)
    .action((o) => onProduct(environment, o, {}, (core) => shown(core, o.account)))
  withCommonOptions(accounts.command("list"))
    .description("list accounts with their balances, newest first")
    .action((o) =>
      onProduct(environment, o, {}, async ({ admin }) => OutputFormat.accounts(await allPages(admin.listAccounts)))
    )
}
