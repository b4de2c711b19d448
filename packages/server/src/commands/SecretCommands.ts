/** `trunkline secrets`: after a change of the installation's secret. Source: docs/reference/operations.md#keys. */
import { type ReencryptionReport, reencryptionReport } from "../ReencryptionReport.ts"
import { UsageError } from "../UsageError.ts"
import { type AddCommand, onProduct, withCommonOptions } from "./ProductCommand.ts"

export const addSecretCommands: AddCommand = (secrets, environment) => {
  withCommonOptions(secrets.command("reseal"))
    .description("seal secrets with the present one")
    .action(async (o) => {
      let done: ReencryptionReport | undefined
      await onProduct(environment, o, { decrypts: true }, async (core, { secrets: { previous = [] } }) => {
        done = reencryptionReport(await core.admin.reencryptSecrets(), previous.length > 0)
        return { ...done }
      })
      // The answer has been printed; a script that checks only the exit code must stop here.
      if (done !== undefined && done.unreadable > 0) throw new UsageError(`not all could be resealed: ${done.next}`)
    })
}
