/** Coding agents of open licence, as they are run against this product: their published packages, without a terminal. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { LlmApi } from "@trunkline/core/provider"
import type { ScriptedCall } from "./ScriptedModel.ts"

/** Where an agent runs, and whom it asks. */
export interface AgentPlace {
  /** The folder of `node_modules` with its package. */
  readonly installed: string
  /** The folder of its task, and its home. */
  readonly folder: string
  readonly home: string
  readonly origin: string
  readonly key: string
  readonly model: string
}

export interface CodingAgent {
  readonly name: string
  readonly packageName: string
  readonly version: string
  /** The API that it speaks. */
  readonly api: LlmApi
  readonly script: (folder: string) => ReadonlyArray<ScriptedCall>
  readonly command: (place: AgentPlace) => ReadonlyArray<string>
  readonly environment: (place: AgentPlace) => Readonly<Record<string, string>>
}

const task = "Do the three steps."

/** What is in the folder of a task before an agent comes, and what its script leaves there. */
export const pictureName = "dot.png"
export const madeName = "made.txt"
export const madeText = "two"

/** It asks for a search of the web by default, which is refused, and needs to be told not to. */
const codex: CodingAgent = {
  ...{ name: "codex", packageName: "@openai/codex", version: "0.171.0", api: "responses" },
  script: (folder) => [
    { name: "exec_command", arguments: { cmd: `printf ${madeText} > ${madeName}` } },
    { name: "view_image", arguments: { path: join(folder, pictureName) } },
    { name: "get_goal", arguments: {} }
  ],
  command: ({ installed, model, origin }) => [
    join(installed, ".bin/codex"),
    ...["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "-m", model],
    ...[
      'web_search="disabled"',
      "analytics.enabled=false",
      'model_provider="trunkline"',
      `model_providers.trunkline={name="Trunkline",base_url="${origin}/v1",env_key="TRUNKLINE_KEY",wire_api="responses"}`
    ].flatMap((setting) => ["-c", setting]),
    task
  ],
  environment: ({ home, key }) => ({ CODEX_HOME: home, TRUNKLINE_KEY: key })
}

const qwenCode: CodingAgent = {
  ...{ name: "qwen-code", packageName: "@qwen-code/qwen-code", version: "0.24.4", api: "messages" },
  script: (folder) => [
    { name: "write_file", arguments: { file_path: join(folder, madeName), content: madeText } },
    { name: "read_file", arguments: { file_path: join(folder, madeName) } },
    { name: "run_shell_command", arguments: { command: `cat ${madeName}`, is_background: false } }
  ],
  command: ({ home, installed, model }) => {
    mkdirSync(join(home, ".qwen"), { recursive: true })
    const settings = { privacy: { usageStatisticsEnabled: false }, general: { enableAutoUpdate: false } }
    writeFileSync(join(home, ".qwen/settings.json"), JSON.stringify(settings))
    return [
      ...[process.execPath, join(installed, "@qwen-code/qwen-code/cli.js")],
      ...["--auth-type", "anthropic", "--yolo", "-m", model, task]
    ]
  },
  environment: ({ key, model, origin }) => ({
    ...{ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: origin, ANTHROPIC_MODEL: model },
    QWEN_TELEMETRY_ENABLED: "false"
  })
}

export const codingAgents: ReadonlyArray<CodingAgent> = [codex, qwenCode]
