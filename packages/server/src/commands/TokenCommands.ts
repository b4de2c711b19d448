/** `trunkline token`, `trunkline dashboard` and `trunkline portal`: tokens for people, and links that carry one. */
import { Option } from "commander"
import { defined } from "../Defined.ts"
import { dashboardLink, localAddress, portalLink } from "../PortalLink.ts"
import * as Values from "./OptionValues.ts"
import { type AddCommand, onProduct, withCommonOptions } from "./ProductCommand.ts"
import { dashboardAddress, withAddress } from "./UserCommands.ts"

const roles = ["owner", "admin", "member", "viewer", "read_only"]

export const addTokenCommands: AddCommand = (tokens, environment) => {
  withCommonOptions(tokens.command("create"))
    .description("sign a dashboard token that lives for a day")
    .requiredOption("--account <id>", "for which account", Values.id)
    .addOption(new Option("--role <role>", "of the person").choices(roles).makeOptionMandatory())
    .action((o) =>
      onProduct(environment, o, { signs: true }, async (core) => {
        const { expiresAt, token } = await core.admin.createToken(o.account, { role: o.role })
        return { token, expires_at: expiresAt.toISOString() }
      })
    )
}

const quarterInSeconds = 900

export const addDashboardCommands: AddCommand = (dashboard, environment) => {
  withAddress(withCommonOptions(dashboard.command("link")))
    .description("make a link that opens it without a password")
    .requiredOption("--account <id>", "of which account", Values.id)
    .addOption(new Option("--role <role>", "of the person").choices(roles).default("owner"))
    .option("--seconds <n>", "how long it opens the pages: up to a day (default: 900)", Values.seconds)
    .action((o) =>
      onProduct(environment, o, { signs: true, links: true }, async (core, config) => {
        const { expiresAt, token } = await core.admin.createToken(o.account, {
          role: o.role,
          secondsToLive: o.seconds ?? quarterInSeconds
        })
        const address = dashboardAddress(o.url, config, environment)
        return { url: dashboardLink(address, token), expires_at: expiresAt.toISOString() }
      })
    )
}

export const addPortalCommands: AddCommand = (portal, environment) => {
  withCommonOptions(portal.command("link"))
    .description("make a link that opens it")
    .requiredOption("--account <id>", "whose webhooks", Values.id)
    .option("--seconds <n>", "how long it opens the page: up to a day (default: 900)", Values.seconds)
    .option(
      "--url <address>",
      "where browsers reach the server (default: server.publicUrl, else HOST and PORT)",
      Values.address
    )
    .action((o) =>
      onProduct(environment, o, { signs: true }, async (core, { server }) => {
        const { expiresAt, token } = await core.admin.createPortalToken(
          o.account,
          defined({ secondsToLive: o.seconds, subject: "operator" })
        )
        const address = o.url ?? server.publicUrl ?? localAddress(environment)
        return { url: portalLink(address, token), expires_at: expiresAt.toISOString() }
      })
    )
}
