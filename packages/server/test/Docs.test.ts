/**
 * The requests of README.md and docs/, pasted as they stand: shell commands, and programs (`js`) that Node runs in the
 * repository's folder, where the client libraries are. The blocks of a page share one shell, and pages run
 * concurrently against one server, as several readers do. Where a page says
 * `<!-- not run: reason -->` before a block, the block is passed over and the reason is printed.
 */
import { spawn } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import {
  type FakePlatform,
  inbound,
  inboundMessages,
  sampleNumber,
  signed,
  startFakePlatform
} from "@trunkline/testing/messaging"
import { type FakeUpstream, startFakeLlmServer, startFakeOpenAi, startFakeSearxng } from "@trunkline/testing/upstreams"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { freePort } from "../../../test/FreePort.ts"
import { serverBundle } from "../../../test/ServerBundle.ts"
import { json } from "./Command.ts"
import { accountOf, cleanUp, client, folder, keyOf, type Server, serve } from "./Spawned.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))

interface Block {
  readonly line: number
  readonly text: string
  /** Why it is not run, or null. */
  readonly skipped: string | null
}

/** How a block of each language is run in a shell. */
const shells: Readonly<Record<string, (text: string) => string>> = {
  "```sh": (text) => text.replace(/^export KEY=.*$/m, ""),
  "```js": (text) => `program <<'PROGRAM'\n${text}\nPROGRAM`
}

/** The blocks of a page that are run. */
const blocksOf = (page: string): ReadonlyArray<Block> => {
  const lines = readFileSync(join(root, page), "utf8").split("\n")
  const blocks: Array<Block> = []
  for (let at = 0; at < lines.length; at++) {
    const inShell = shells[lines[at] ?? ""]
    if (inShell === undefined) continue
    const end = lines.indexOf("```", at)
    const text = inShell(lines.slice(at + 1, end).join("\n"))
    const before = lines.slice(0, at).findLast((line) => line.trim() !== "") ?? ""
    const skipped = /^<!-- not run: (.+) -->$/.exec(before)?.[1] ?? null
    blocks.push({ line: at + 1, text, skipped })
    at = end
  }
  return blocks
}

const pages = [
  "README.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).map((name) => `docs/${name}`)
]
  .filter((name) => name.endsWith(".md"))
  .map((page) => ({ page, blocks: blocksOf(page) }))
  .filter(({ blocks }) => blocks.length > 0)

/** The reader's shell: the server is already started, and `localhost:8787` is where it really listens. */
const prelude = `
set -euo pipefail
cd "$ROOT"
command_line() { "$NODE" "$COMMAND" "$@"; }
curl() {
  set -- "\${@//localhost:8787/localhost:$SERVER_PORT}"
  command curl --silent --show-error --fail-with-body --max-time 30 "\${@//127.0.0.1:9999/127.0.0.1:$PORT}"
}
node() { "$NODE" "$@"; }
program() { sed "s|localhost:8787|localhost:$SERVER_PORT|" | "$NODE" --input-type=module -; }
npm() { case "$1" in ci | start) ;; *) echo "npm $1 changes the repository: mark the block as not run" >&2; return 1 ;; esac; }
npx() { if [ "$1" = trunkline ]; then shift; command_line "$@"; else command npx "$@"; fi; }
`

interface Reader {
  readonly server: Server
  readonly folder: string
}

/** Runs the blocks of a page and answers what they printed; rejects with the line of the block that failed. */
const paste = async (
  { folder, server }: Reader,
  { blocks, page }: { readonly page: string; readonly blocks: ReadonlyArray<Block> },
  onTestFinished: (end: () => void) => void
): Promise<string> => {
  // Where pages say 9999.
  const receiverPort = await freePort()
  const script = blocks
    .filter(({ skipped }) => skipped === null)
    .map(({ line, text }) => `: "@@ ${page}:${line}" && export AT=${page}:${line}\n${text}`)
    .join("\n")
  const { DATABASE_URL: _, TRUNKLINE_CONFIG: __, ...environment } = process.env
  return new Promise((resolve, reject) => {
    const shell = spawn(
      "bash",
      ["-c", `${prelude}\ntrap 'echo "failed: $AT" >&2' ERR\nset -E\n${script}\nread -r -t 30 || [ $? = 1 ]`],
      {
        detached: true,
        env: {
          ...environment,
          // What a page writes goes with the folder.
          TMPDIR: folder,
          ROOT: root,
          NODE: process.execPath,
          COMMAND: serverBundle,
          NODE_COMPILE_CACHE: join(root, "node_modules/.cache/trunkline-compiled"),
          SERVER_PORT: new URL(server.url).port,
          PORT: String(receiverPort),
          KEY: keyOf(server),
          ACCOUNT: accountOf(server),
          DATABASE_URL: `sqlite:${join(folder, "data/trunkline.db")}`,
          TRUNKLINE_CONFIG: join(folder, "config.json"),
          TRUNKLINE_SECRET: readFileSync(join(folder, "data/secret"), "utf8").trim()
        }
      }
    )
    // What the page has started in the background ends with it.
    const end = () => {
      try {
        process.kill(-shell.pid!, "SIGKILL")
      } catch {
        // All of it has ended.
      }
    }
    shell.once("exit", end)
    onTestFinished(end)
    let printed = ""
    for (const stream of [shell.stdout, shell.stderr]) {
      stream.on("data", (chunk) => {
        printed += chunk
        if (results[page]?.test(printed)) shell.stdin.end()
      })
    }
    if (results[page] === undefined) shell.stdin.end()
    shell.once("close", (code) => {
      if (code === 0) resolve(printed)
      else reject(new Error(`${page} exited with ${code}:\n${printed.slice(-6000)}`))
    })
  })
}

/** What a page must print in the end, once its requests have been answered. */
const results: Readonly<Record<string, RegExp>> = {
  "README.md": /call\.completed, signature verified: \+33/,
  "docs/reference/language-models.md":
    /Hello to you, reader\.\nHello to you, reader\.\n[\s\S]*Hello to you, reader\.\n12 tokens were counted: \{/,
  "docs/guides/tutorial.md": /campaign\.completed, signature verified: Appointments/,
  "docs/guides/receive-webhooks.md": /call\.failed, signature verified: \+33/
}

const apis = ["chat_completions", "responses", "messages"]

const appSecret = "an app secret"

/** The template that pages send. */
const orderSent = {
  id: "5940001",
  name: "order_sent",
  language: "en",
  status: "APPROVED",
  category: "UTILITY",
  components: [{ type: "BODY", text: "Hello {{1}}, your order is on its way." }]
}

/** Connects the number that pages name, and has the sample customer write to it: the 24-hour window is open. */
const connectNumber = async (server: Server): Promise<void> => {
  const connected = await client(server, keyOf(server))("POST", "/api/v1/messaging/phone_numbers", {
    phone_number_id: sampleNumber.phoneNumberId,
    business_account_id: "102290129340398",
    access_token: "EAAG-your-token"
  })
  expect(connected.status).toBe(201)
  const { bytes, headers } = signed(inboundMessages(inbound.text("Hello")), appSecret)
  const delivered = await fetch(`${server.url}/api/v1/messaging/inbound`, {
    method: "POST",
    headers,
    body: Buffer.from(bytes)
  })
  expect(delivered.status).toBe(200)
}

let platform: FakePlatform
let models: FakeUpstream
let languageModels: FakeUpstream
let search: FakeUpstream
let reader: Reader
/** Has done what the first pages say, and nothing else: on the plan of the first account, with the configuration of README.md. */
let newcomer: Reader

const newcomersPages: ReadonlySet<string> = new Set(["README.md", "docs/guides/add-a-model.md"])

beforeAll(async () => {
  platform = await startFakePlatform()
  platform.templates.push(orderSent)
  models = await startFakeOpenAi()
  languageModels = await startFakeLlmServer({ text: "Hello to you, reader." })
  search = await startFakeSearxng()
  const { telephony, ...firstCall } = JSON.parse(readFileSync(join(root, "examples/first-call/config.json"), "utf8"))
  const cwd = folder(telephony.simulator.speed, {
    ...firstCall,
    messaging: {
      base_url: platform.baseUrl,
      app_secret: appSecret,
      public_url: "https://chat.example.com",
      verify_token: "a verify token",
      web_chat: { secret: "the secret of the chats of this test" }
    },
    models: {
      upstreams: {
        models: { kind: "openai", base_url: `${models.origin}/v1` },
        languageModels: { kind: "openai", base_url: `${languageModels.origin}/v1`, apis }
      },
      routes: {
        "*": { upstream: "models" },
        "gpt-5.4": { upstream: "languageModels" },
        "claude-sonnet-5": { upstream: "languageModels" }
      }
    },
    search: { providers: { own: { kind: "searxng", base_url: search.origin } } }
  })
  reader = { server: await serve(cwd), folder: cwd }
  await json(cwd, "account", "set", "--account", accountOf(reader.server), "--plan", "pro")
  await connectNumber(reader.server)
  const firstModel = readFileSync(join(root, "examples/first-model/config.json"), "utf8")
  const there = firstModel.replace("http://127.0.0.1:11434", languageModels.origin)
  const first = folder(telephony.simulator.speed, { ...firstCall, ...JSON.parse(there) })
  newcomer = { server: await serve(first), folder: first }
})
afterAll(async () => {
  cleanUp()
  await Promise.all([platform.close(), models.close(), languageModels.close(), search.close()])
})

describe.concurrent("every request of a page can be pasted", () => {
  it.for(pages)("$page", async ({ blocks, page }, { onTestFinished }) => {
    for (const { line, skipped } of blocks) if (skipped !== null) console.log(`${page}:${line} is not run: ${skipped}`)
    const who = newcomersPages.has(page) ? newcomer : reader
    expect(await paste(who, { page, blocks }, onTestFinished)).toMatch(results[page] ?? "")
  })
})

it("the first model of README.md is that of the page about models", () => {
  const [block] = /(?<=```json\n)[^`]+/.exec(readFileSync(join(root, "docs/guides/add-a-model.md"), "utf8")) ?? []
  expect(JSON.parse(block!)).toEqual(JSON.parse(readFileSync(join(root, "examples/first-model/config.json"), "utf8")))
})

it.for([
  ["a request that the server refuses", "curl localhost:8787/api/v1/voice-campaigns"],
  ["a program that throws", shells["```js"]!("throw new Error()")]
] as const)("%s fails its page", async ([, text], { onTestFinished }) => {
  const wrong = { line: 1, skipped: null, text }
  await expect(paste(reader, { page: "wrong.md", blocks: [wrong] }, onTestFinished)).rejects.toThrow(
    /failed: wrong.md:1/
  )
})
