/** What an editor shows of the options of a host, and of the settings of its campaigns, from the declarations that hosts get. */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { root } from "./house/Sources.ts"

const folder = mkdtempSync(join(tmpdir(), "trunkline-hovers-"))

const program = `import { type CampaignChange, createTrunkline, type NewCampaign, type TrunklineOptions } from "@trunkline/core"
import { brave } from "@trunkline/providers/brave"
import { silero } from "@trunkline/providers/embedded"
import { postgres } from "@trunkline/storage-postgres"
declare const given: TrunklineOptions
void createTrunkline(given)
void given.storage
void given.encryptionKey
void given.webhooks?.perEndpoint
void given.webhooks?.allowNetworks
void given.webhooks?.portal?.theme?.accent
void given.brand?.keyPrefix
void given.auth?.jwt?.claims?.account
void given.limits?.batchConcurrency
void given.limits?.jsonBodyBytes
void given.voice?.concurrentSessions?.pro
void given.models?.routes?.m?.retries
void given.messaging?.reply?.quietMs
void given.retention?.callsDays
void given.workers?.dialer
void given.onAnswer
void given.areas
void createTrunkline({ storage: given.storage, encryptionKey: "",
  areas: [],
  webhooks: {
    concurrency: 3,
    allowNetworks: [] } })
const made: NewCampaign = { name: "",
  maxAttempts: 2 }
const changed: CampaignChange = {
  paceSeconds: 30 }
void brave({ apiKey: "",
  timeoutMs: 5 })
void silero({
  install: false })
void postgres("", {
  directUrl: "" })
`

interface Message {
  readonly id?: number
  readonly method?: string
  readonly result?: unknown
}

/** The compiler's language server: requests in, answers out. */
const languageServer = () => {
  const server = spawn(join(root, "node_modules/.bin/tsc"), ["--lsp", "--stdio"], { cwd: folder })
  const waiting = new Map<number, (result: unknown) => void>()
  let read = Buffer.alloc(0)
  let last = 0
  const send = (message: object) => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message })
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  const receive = ({ id, method, result }: Message) => {
    // What the server itself asks for, it can do without.
    if (method !== undefined && id !== undefined) return send({ id, result: null })
    waiting.get(id ?? -1)?.(result)
  }
  server.stdout.on("data", (chunk: Buffer) => {
    read = Buffer.concat([read, chunk])
    for (;;) {
      const head = /^Content-Length: (\d+)[\s\S]*?\r\n\r\n/.exec(read.toString("latin1"))
      const end = head === null ? Number.POSITIVE_INFINITY : head[0].length + Number(head[1])
      if (head === null || read.length < end) return
      const body = read.subarray(head[0].length, end).toString()
      read = read.subarray(end)
      receive(JSON.parse(body) as Message)
    }
  })
  return {
    notify: (method: string, params: object) => send({ method, params }),
    ask: (method: string, params: object): Promise<unknown> => {
      last += 1
      const id = last
      return new Promise((resolve) => {
        waiting.set(id, resolve)
        send({ id, method, params })
      })
    },
    end: () => server.kill()
  }
}

const uri = pathToFileURL(join(folder, "host.ts")).href
let server: ReturnType<typeof languageServer>

beforeAll(async () => {
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir")
  const compilerOptions = {
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true
  }
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["host.ts"] }))
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
  writeFileSync(join(folder, "host.ts"), program)
  server = languageServer()
  await server.ask("initialize", { processId: process.pid, rootUri: pathToFileURL(folder).href, capabilities: {} })
  server.notify("initialized", {})
  server.notify("textDocument/didOpen", {
    textDocument: { uri, languageId: "typescript", version: 1, text: program }
  })
})

afterAll(() => {
  server.end()
  rmSync(folder, { recursive: true, force: true })
})

/** What is shown over the last name of the one line that ends so. */
const hoverOver = async (end: string): Promise<string> => {
  const lines = program.split("\n")
  const line = lines.findIndex((one) => one.includes(end))
  const character = (lines[line] ?? "").indexOf(end) + end.length - 1
  const shown = await server.ask("textDocument/hover", { textDocument: { uri }, position: { line, character } })
  return JSON.stringify(shown)
}

describe("an editor", () => {
  it.each([
    ["given.storage", "Where everything is kept."],
    ["given.encryptionKey", "at least 32 characters"],
    [
      "webhooks?.perEndpoint",
      "The attempts that are made to one endpoint at a time. It is a whole number of at least 1. Default 16."
    ],
    ["webhooks?.allowNetworks", "although they are not public"],
    ["portal?.theme?.accent", "The colour of buttons"],
    ["brand?.keyPrefix", "What API keys begin with. Default `svc_`."],
    ["claims?.account", "The claim that names the account. Default `tenant_id`."],
    ["limits?.batchConcurrency", "Default 4."],
    ["limits?.jsonBodyBytes", "The bytes of a JSON body."],
    ["concurrentSessions?.pro", "of the plan `pro`"],
    ["routes?.m?.retries", "How often the same upstream is asked again"],
    ["reply?.quietMs", "Default 1500."],
    ["retention?.callsDays", "The days for which calls that have ended are kept"],
    ["workers?.dialer", "Whether `start` dials"],
    ["given.onAnswer", "Decides for each call what is heard"],
    ["given.areas", "What the product has"],
    ["  areas", "What the product has"],
    ["  concurrency", "The attempts that this process makes at a time."],
    ["    allowNetworks", "although they are not public"],
    ["  maxAttempts", "Attempts for each contact, 1 to 5. Default 3."],
    ["  paceSeconds", "Seconds between the starts of calls in power mode"],
    ["  timeoutMs", "Until the answer begins, in milliseconds."],
    ["  install", "Whether weights that are not there are fetched"],
    ["  directUrl", "The server itself where `url` is a pooler's"]
  ])("shows over %s the sentence that stands above the option", async (end, sentence) => {
    expect(await hoverOver(end)).toContain(sentence)
  })
})
