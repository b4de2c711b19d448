/** `trunkline event` and `trunkline email`: what a host reports to the product. */
import { Option } from "commander"
import { publishEvent, reportEmail } from "./HostEvents.ts"
import * as Values from "./OptionValues.ts"
import { type AddCommand, onProduct, withCommonOptions } from "./ProductCommand.ts"

const reports = ["email.bounced", "email.complained"]

export const addEventCommands: AddCommand = (events, environment) => {
  withCommonOptions(events.command("publish"))
    .description("publish an event, such as a payment")
    .requiredOption("--account <id>", "whose event", Values.id)
    .requiredOption("--event <name>", "its name in the catalogue")
    .requiredOption("--data <json>", "its data: a JSON object", Values.object)
    .option("--strict", "publishes nothing where the data are not as the event reference says")
    .option("--bot <id>", "the agent that it is about")
    .option("--key <text>", "publishes once under this key", Values.words)
    .action((o) => onProduct(environment, o, {}, (core) => publishEvent(core, o)))
}

export const addEmailCommands: AddCommand = (emails, environment) => {
  withCommonOptions(emails.command("report"))
    .description("report a bounce or a complaint")
    .requiredOption("--account <id>", "whose email", Values.id)
    .addOption(new Option("--type <type>", "what happened").choices(reports).makeOptionMandatory())
    .requiredOption("--recipient <address>", "who is not to be written to again")
    .option("--message-id <id>", "of the message that was sent", Values.words)
    .option("--email-id <id>", "of the send", Values.words)
    .option("--detail <text>", "the mail server's words", Values.words)
    .option("--domain <name>", "the domain that sent it", Values.words)
    .option("--key <text>", "is taken in once under this key", Values.words)
    .action((o) => onProduct(environment, o, {}, (core) => reportEmail(core, o)))
}
