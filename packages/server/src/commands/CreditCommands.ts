/** `trunkline credits`: add credits, and look at them. */
import * as OutputFormat from "../OutputFormat.ts"
import * as Values from "./OptionValues.ts"
import { type AddCommand, onProduct, withCommonOptions } from "./ProductCommand.ts"

export const addCreditCommands: AddCommand = (credits, environment) => {
  withCommonOptions(credits.command("show"))
    .description("show an account's credits")
    .requiredOption("--account <id>", "which account", Values.id)
    .action((o) =>
      onProduct(environment, o, {}, async ({ admin }) => {
        const { balance, id, reserved } = await admin.getAccount(o.account)
        return OutputFormat.credits(id, { balance, reserved })
      })
    )
  withCommonOptions(credits.command("add"))
    .description("add credits to an account")
    .requiredOption("--account <id>", "which account", Values.id)
    .requiredOption("--amount <credits>", "how many, with up to nine decimal places", Values.amount)
    .action((o) =>
      onProduct(environment, o, {}, async ({ admin }) => ({
        tenant_id: o.account,
        added: OutputFormat.number(o.amount),
        balance: OutputFormat.number(await admin.addCredits(o.account, o.amount))
      }))
    )
}
