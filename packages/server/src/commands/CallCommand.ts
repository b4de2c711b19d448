/** `trunkline call`: a conversation with an agent on the simulator of a running server. */
import { callOnSimulator } from "../CalleeClient.ts"
import { calleeSound } from "../CalleeSound.ts"
import { localAddress } from "../PortalLink.ts"
import * as Values from "./OptionValues.ts"
import type { AddCommand } from "./ProductCommand.ts"

export const addCall: AddCommand = (call, environment) => {
  call
    .requiredOption("--key <key>", "an API key with the scopes calls:read and calls:write", Values.words)
    .requiredOption("--to <number>", "whom the simulator calls; the last two digits 00 to 59 answer", Values.words)
    .requiredOption("--bot <id>", "the agent that speaks with the callee", Values.id)
    .option("--say <file>", "a WAV file with what the callee says once the agent has greeted")
    .option("--url <address>", "where the server is (default: HOST and PORT)", Values.address)
    .action(({ bot, key, say, to, url = localAddress(environment) }) =>
      callOnSimulator({
        ...{ bot, key, to, url },
        sound: say === undefined ? null : calleeSound(say),
        print: (line) => process.stdout.write(`${line}\n`)
      })
    )
}
