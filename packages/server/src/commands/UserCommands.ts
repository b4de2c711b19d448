/** `trunkline user`: people who sign in with a password. */
import type { LinkText, MemberShown, Trunkline } from "@trunkline/core"
import { Instant } from "@trunkline/core/effect"
import { linkAddress, memberRoles } from "@trunkline/core/provider"
import { type Command, Option } from "commander"
import type { Environment } from "../ConfigFile.ts"
import type { Config } from "../ConfigReader.ts"
import { defined } from "../Defined.ts"
import type { Printed } from "../OutputFormat.ts"
import { localAddress } from "../PortalLink.ts"
import { UsageError } from "../UsageError.ts"
import * as Values from "./OptionValues.ts"
import { type AddCommand, allPages, onProduct, withCommonOptions } from "./ProductCommand.ts"

const iso = (at: number | null): string | null => (at === null ? null : Instant.toIso(Instant.make(at)))

const shown = ({ createdAt, email, id, lastSeenAt, name, role, status }: MemberShown): Printed => ({
  ...{ email, role, status, name, id },
  last_seen_at: iso(lastSeenAt),
  created_at: iso(createdAt)
})

/** Adds the option that says where browsers reach the dashboard. */
export const withAddress = (command: Command): Command =>
  command.option(
    "--url <address>",
    "where browsers reach the server (default: dashboard.public_url, else server.public_url, else HOST and PORT)",
    Values.address
  )

/** Where browsers reach the mount point. */
export const dashboardAddress = (
  given: string | undefined,
  { dashboard, server }: Config,
  environment: Environment
): string => given ?? dashboard.publicUrl ?? server.publicUrl ?? localAddress(environment)

const withRole = (command: Command): Option => {
  const option = new Option("--role <role>", "what they may do").choices(memberRoles)
  command.addOption(option)
  return option
}

const addCreate = (users: Command, environment: Environment): void => {
  const command = withAddress(withCommonOptions(users.command("create")))
    .description("invite somebody, and make the link by which they set a password")
    .requiredOption("--account <id>", "of which account", Values.id)
    .requiredOption("--email <email>", "their email", Values.words)
    .option("--name <name>", "their name", Values.words)
  withRole(command).default("member")
  command.action((o) =>
    onProduct(environment, o, { links: true }, async (core, config) => {
      const { link, ...member } = await core.admin.createMember(
        o.account,
        defined({ email: o.email, role: o.role, name: o.name })
      )
      const address = dashboardAddress(o.url, config, environment)
      return { ...shown(member), link: linkAddress(address, link.token), link_expires_at: link.expiresAt.toISOString() }
    })
  )
}

interface Whose {
  readonly email?: string
  readonly account?: string
}

const linkOf = (core: Trunkline, { account, email }: Whose): Promise<LinkText> => {
  if (email !== undefined && account === undefined) return core.admin.createMemberLink(email)
  if (account !== undefined && email === undefined) return core.admin.createOwnerLink(account)
  throw new UsageError("name one of the two: --email of a member, or --account for its first owner")
}

const addLink = (users: Command, environment: Environment): void => {
  withAddress(withCommonOptions(users.command("link")))
    .description("make a link that sets a password: a new one makes earlier ones void")
    .option("--email <email>", "of this member", Values.words)
    .option("--account <id>", "of the first owner of an account that has no member", Values.id)
    .action((o) =>
      onProduct(environment, o, { links: true }, async (core, config) => {
        const { expiresAt, purpose, token } = await linkOf(core, o)
        const url = linkAddress(dashboardAddress(o.url, config, environment), token)
        return { purpose, url, expires_at: expiresAt.toISOString() }
      })
    )
}

const addOthers = (users: Command, environment: Environment): void => {
  withCommonOptions(users.command("list"))
    .description("everybody who signs in to an account, newest first")
    .requiredOption("--account <id>", "to which account", Values.id)
    .action((o) =>
      onProduct(environment, o, {}, async (core) => ({
        records: (await allPages((page) => core.admin.listMembers(o.account, page))).map(shown),
        columns: ["email", "role", "status", "name", "last_seen_at"]
      }))
    )
  const set = withCommonOptions(users.command("set"))
    .description("change what somebody may do")
    .requiredOption("--email <email>", "who", Values.words)
  withRole(set).makeOptionMandatory()
  set.action((o) =>
    onProduct(environment, o, {}, async (core) => shown(await core.admin.changeMember(o.email, { role: o.role })))
  )
  withCommonOptions(users.command("remove"))
    .description("remove somebody: their sessions and links end at once")
    .requiredOption("--email <email>", "who", Values.words)
    .action((o) =>
      onProduct(environment, o, {}, async (core) => {
        await core.admin.removeMember(o.email)
        return { email: o.email, removed: true }
      })
    )
}

export const addUserCommands: AddCommand = (users, environment) => {
  addCreate(users, environment)
  addLink(users, environment)
  addOthers(users, environment)
}
