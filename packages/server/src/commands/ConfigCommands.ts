/** `trunkline config`: the configuration file. */
import { loadConfig } from "../ConfigReader.ts"
import type { AddCommand } from "./ProductCommand.ts"

const noFile =
  "there is no configuration file to check: name one here or in TRUNKLINE_CONFIG, or all settings have their defaults\n"

export const addConfigCommands: AddCommand = (config, environment) => {
  config
    .command("check")
    .description("say everything that is wrong with it")
    .argument("[file]", "instead of TRUNKLINE_CONFIG")
    .action((file: string | undefined = environment.TRUNKLINE_CONFIG) => {
      loadConfig({ ...environment, TRUNKLINE_CONFIG: file })
      process.stdout.write(file ? "the configuration is in order\n" : noFile)
    })
}
