/** `npm run test:agents`: docs/contributing.md#coding-agents. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { type AgentPlace, type CodingAgent, codingAgents, madeName, madeText, pictureName } from "./Agents.ts"
import { type AgentWorld, modelOf, openAgentWorld, upstreamApis } from "./AgentWorld.ts"
import { recordedForm } from "./RecordedForm.ts"
import { lastWords } from "./ScriptedModel.ts"

const { values } = parseArgs({
  options: { record: { type: "boolean", default: false }, installed: { type: "string" } }
})

const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** One red dot. */
const picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="

/** Nothing but this machine: agents call home. */
const nowhere = "http://127.0.0.1:9"
const closed = { HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere, ALL_PROXY: nowhere, NO_PROXY: "127.0.0.1" }

const install = (folder: string): boolean => {
  const packages = codingAgents.map(({ packageName, version }) => `${packageName}@${version}`)
  const options = ["--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"]
  const { status } = spawnSync("npm", ["install", ...options, ...packages], { stdio: "inherit" })
  return status === 0
}

/** This program again, in a network that has this machine alone, where the system makes one. */
const again = (folder: string): number => {
  const own = [process.execPath, ...process.execArgv, fileURLToPath(import.meta.url)]
  const options = ["--installed", join(folder, "node_modules"), ...(values.record ? ["--record"] : [])]
  const inside = ["unshare", "-rn", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
  const isClosed = spawnSync("unshare", ["-rn", "ip", "link", "set", "lo", "up"]).status === 0
  if (!isClosed) say("The network is open: this system makes no network of its own. Proxies lead nowhere.")
  const [command, ...rest] = [...(isClosed ? inside : []), ...own, ...options]
  return spawnSync(command!, rest, { stdio: "inherit" }).status ?? 1
}

const ran = async (agent: CodingAgent, place: AgentPlace): Promise<string> => {
  const [command, ...options] = agent.command(place)
  const { PATH = "" } = process.env
  const child = spawn(command!, options, {
    cwd: place.folder,
    env: { PATH, HOME: place.home, ...closed, ...agent.environment(place) },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 120_000
  })
  let said = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => (said += String(piece)))
  await once(child, "close")
  return said
}

/** What an agent's run lacks. */
const faultsOf = (agent: CodingAgent, { asked, there }: AgentWorld, said: string, folder: string): Array<string> => {
  const made = join(folder, madeName)
  const refused = asked.filter(({ status }) => status !== 200)
  const steps = agent.script(folder).length
  return [
    ...refused.map(({ answer, path, status }) => `${path} was answered ${status}: ${answer}`),
    ...(there.length > steps ? [] : [`the model was asked ${there.length} times`]),
    ...(existsSync(made) && readFileSync(made, "utf8") === madeText ? [] : ["the file was not made"]),
    ...(said.includes(lastWords) ? [] : [`the last words were not said: ${said.slice(-2000)}`])
  ]
}

/** The request with all results, without what it says. */
const record = (agent: CodingAgent, { asked }: AgentWorld, place: AgentPlace): void => {
  const places = new Map([
    [place.folder, "/task"],
    [place.home, "/home/agent"],
    [place.installed, "/installed"]
  ])
  const { body, path } = asked.filter((one) => JSON.stringify(one.body).includes("tools")).at(agent.script("").length)!
  const kept = { package: `${agent.packageName}@${agent.version}`, path, body: recordedForm(body, places) }
  const file = fileURLToPath(new URL(`recorded/${agent.name}.json`, import.meta.url))
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`)
}

const runOne = async (agent: CodingAgent, api: (typeof upstreamApis)[number], installed: string): Promise<boolean> => {
  const base = mkdtempSync(join(tmpdir(), "trunkline-agent-"))
  const [folder, home] = [join(base, "task"), join(base, "home")]
  for (const one of [folder, home]) mkdirSync(one)
  writeFileSync(join(folder, pictureName), Buffer.from(picture, "base64"))
  const world = await openAgentWorld(agent.script(folder))
  try {
    const place = { installed, folder, home, origin: world.origin, key: world.key, model: modelOf(api) }
    const faults = faultsOf(agent, world, await ran(agent, place), folder)
    say(`${agent.name} at ${api}: ${faults.length === 0 ? `${world.asked.length} requests, done` : faults.join("; ")}`)
    if (values.record && faults.length === 0 && api === "chat_completions") record(agent, world, place)
    return faults.length === 0
  } finally {
    await world.close()
    rmSync(base, { recursive: true, force: true })
  }
}

/** Every agent over its own API and over its translations. Nothing is translated to the Responses API. */
const runAll = async (installed: string): Promise<boolean> => {
  let isGood = true
  for (const agent of codingAgents) {
    for (const api of upstreamApis) {
      if (api === "responses" && agent.api !== api) continue
      isGood = (await runOne(agent, api, installed)) && isGood
    }
  }
  return isGood
}

const main = async (): Promise<number> => {
  if (values.installed !== undefined) return (await runAll(values.installed)) ? 0 : 1
  const folder = mkdtempSync(join(tmpdir(), "trunkline-agents-"))
  try {
    if (install(folder)) return again(folder)
    say("Skipped: the agents' packages could not be installed.")
    return 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

process.exit(await main())
