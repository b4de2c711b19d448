/** `trunkline serve`: the server. */
import { serve } from "../Serve.ts"
import { runUntilStopped } from "../Signals.ts"
import { type AddCommand, type CommonOptions, withDatabase, withDatabaseOption } from "./ProductCommand.ts"

export const addServe: AddCommand = (command, environment) => {
  withDatabaseOption(command).action((o: CommonOptions) => runUntilStopped(() => serve(withDatabase(environment, o))))
}
