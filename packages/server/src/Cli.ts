/**
 * The `trunkline` command. Of its groups only the one that is named is loaded: a start is mostly the loading of modules, and
 * `--version` needs none of the product's.
 */
import type { InvalidField } from "@trunkline/core"
import { Command, CommanderError } from "commander"
import type { Environment } from "./ConfigFile.ts"
import type { AddCommand } from "./commands/ProductCommand.ts"
import { UsageError } from "./UsageError.ts"

interface Group {
  readonly name: string
  readonly description: string
  readonly load: () => Promise<AddCommand>
}

const groups: ReadonlyArray<Group> = [
  {
    name: "serve",
    description: "start the server",
    load: async () => (await import("./commands/ServeCommand.ts")).addServe
  },
  {
    name: "account",
    description: "make, change and look at accounts",
    load: async () => (await import("./commands/AccountCommands.ts")).addAccountCommands
  },
  {
    name: "migrate",
    description: "copy the whole installation into an empty database",
    load: async () => (await import("./commands/MigrateCommand.ts")).addMigrate
  },
  {
    name: "key",
    description: "make, list and revoke API keys",
    load: async () => (await import("./commands/KeyCommands.ts")).addKeyCommands
  },
  {
    name: "user",
    description: "people who sign in with a password",
    load: async () => (await import("./commands/UserCommands.ts")).addUserCommands
  },
  {
    name: "dashboard",
    description: "the pages on which people work",
    load: async () => (await import("./commands/TokenCommands.ts")).addDashboardCommands
  },
  {
    name: "token",
    description: "make dashboard tokens",
    load: async () => (await import("./commands/TokenCommands.ts")).addTokenCommands
  },
  {
    name: "portal",
    description: "the page on which customers manage webhooks",
    load: async () => (await import("./commands/TokenCommands.ts")).addPortalCommands
  },
  {
    name: "call",
    description: "speak with an agent on the simulator",
    load: async () => (await import("./commands/CallCommand.ts")).addCall
  },
  {
    name: "credits",
    description: "add credits, and look at them",
    load: async () => (await import("./commands/CreditCommands.ts")).addCreditCommands
  },
  {
    name: "audit",
    description: "what was done to an account, newest first",
    load: async () => (await import("./commands/AuditCommand.ts")).addAudit
  },
  {
    name: "event",
    description: "publish events of your own",
    load: async () => (await import("./commands/EventCommands.ts")).addEventCommands
  },
  {
    name: "email",
    description: "report what became of emails",
    load: async () => (await import("./commands/EventCommands.ts")).addEmailCommands
  },
  {
    name: "backup",
    description: "copy a SQLite database while the server runs",
    load: async () => (await import("./commands/BackupCommand.ts")).addBackup
  },
  {
    name: "secrets",
    description: "after a change of TRUNKLINE_SECRET",
    load: async () => (await import("./commands/SecretCommands.ts")).addSecretCommands
  },
  {
    name: "models",
    description: "the embedded engine",
    load: async () => (await import("./commands/ModelCommands.ts")).addModelCommands
  },
  {
    name: "config",
    description: "the configuration file",
    load: async () => (await import("./commands/ConfigCommands.ts")).addConfigCommands
  }
]

/** Builds the command with the groups that `words` name, for help with one of them too. The others have their names alone. */
const programFor = async (words: ReadonlyArray<string>, environment: Environment, version: string) => {
  const program = new Command("trunkline")
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .description("Outbound calling campaigns, messaging and an inference gateway, self-hosted")
    .version(version)
  for (const { description, load, name } of groups) {
    const command = program.command(name).description(description)
    if (words.includes(name)) (await load())(command, environment)
  }
  return program
}

/** Options that have another word than the product's field. */
const optionNames: Readonly<Record<string, string>> = {
  expiresAt: "expires",
  requestsPerMinute: "rpm",
  paymentMethod: "payment",
  paymentDeadline: "deadline"
}

const kebab = (field: string): string => field.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)

/** A refused field under the word that the operator has written; what stands within a JSON value is named after it. */
const refusedOption = ({ message, path: [field = "", ...within] }: InvalidField): string => {
  const place = within.filter((part) => typeof part === "string").join(".")
  const option = optionNames[String(field)] ?? kebab(String(field))
  return `--${option}: ${place === "" ? "" : `${place}: `}${message}`
}

/** Errors of the product are the operator's to act on, as wrong options are; null for others. Its class is loaded when there is an error. */
const forOperator = async (error: unknown): Promise<string | null> => {
  if (error instanceof UsageError) return error.message
  const { TrunklineError } = await import("@trunkline/core")
  if (!(error instanceof TrunklineError)) return null
  return error.fields.length === 0 ? error.message : error.fields.map(refusedOption).join("; ")
}

const complaint = async (error: unknown): Promise<string> => {
  if (error instanceof CommanderError) {
    return error.code === "commander.help"
      ? "name a command; trunkline --help lists them"
      : error.message.replace(/^error: /, "").replace(/\s*\n\s*/g, " ")
  }
  const message = error instanceof Error ? error.message : String(error)
  return (await forOperator(error)) ?? `${message} (this is a bug: please report it)`
}

/** Runs one command and returns the exit code; an error is one line on standard error, without a trace. */
export const run = async (words: ReadonlyArray<string>, environment: Environment, version: string): Promise<number> => {
  try {
    const program = await programFor(words, environment, version)
    await program.parseAsync([...words], { from: "user" })
    return 0
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    process.stderr.write(`trunkline: ${await complaint(error)}\n`)
    return 1
  }
}
