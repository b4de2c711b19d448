/** `trunkline audit`: what was done to an account. */
import * as OutputFormat from "../OutputFormat.ts"
import * as Values from "./OptionValues.ts"
import { type AddCommand, allPages, onProduct, withCommonOptions } from "./ProductCommand.ts"

export const addAudit: AddCommand = (audit, environment) => {
  withCommonOptions(audit)
    .requiredOption("--account <id>", "which account", Values.id)
    .action((o) =>
      onProduct(environment, o, {}, async ({ admin }) =>
        (await allPages((page) => admin.audit(o.account, page))).map(OutputFormat.audit)
      )
    )
}
