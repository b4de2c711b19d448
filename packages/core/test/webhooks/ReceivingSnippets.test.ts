/** The programs of docs/reference/webhooks-receiving.md, each run as it stands there. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import type { RefusedWebhook } from "@trunkline/client/webhooks"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { clockVariables } from "../../../../test/Clock.ts"
import { freePort } from "../../../../test/FreePort.ts"
import { makeSecret, type Secrets, signatureHeaders, standardHeaders } from "../../src/webhooks/signing/Signature.ts"

const root = new URL("../../../../", import.meta.url)
const page = readFileSync(new URL("docs/reference/webhooks-receiving.md", root), "utf8")

/** Code by the file name that stands in its fence. */
const programs = new Map(
  [...page.matchAll(/^```\S+ (\S+)\n([\s\S]*?)^```$/gm)].map(([, name = "", code = ""]) => [name, code])
)

const folder = mkdtempSync(join(tmpdir(), "receiving-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Language {
  readonly command: string
  readonly version: string
  /** What starts the program, from its file. */
  readonly start: (file: string, port: number) => ReadonlyArray<string>
}

const node: Language = {
  command: process.execPath,
  version: "--version",
  // As text on the command line, so that packages are found from this folder.
  start: (file) => [
    process.execPath,
    "--conditions=@trunkline/source",
    "--input-type=module",
    "-e",
    readFileSync(file, "utf8")
  ]
}

const languages: Readonly<Record<string, Language>> = {
  mjs: node,
  py: { command: "python3", version: "--version", start: (file) => ["python3", file] },
  go: {
    command: "go",
    version: "version",
    start: (file) => {
      const built = spawnSync("go", ["build", "-o", `${file}.bin`, file], { encoding: "utf8" })
      if (built.status !== 0) throw new Error(built.stderr)
      return [`${file}.bin`]
    }
  },
  php: { command: "php", version: "--version", start: (file, port) => ["php", "-S", `127.0.0.1:${port}`, file] }
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" }, () => {
      socket.destroy()
      resolve(true)
    }).on("error", () => resolve(false))
  })

/** The module itself: the package's entries are built, and tests are of sources. */
const library = new URL("../../../client/src/VerifyWebhook.ts", import.meta.url).href

interface Receiver {
  readonly port: number
  readonly process: ChildProcess
  /** All that it has printed. */
  readonly printed: () => string
}

/** Null where the program refuses to run. */
const start = async (name: string, secrets: string): Promise<Receiver | null> => {
  const language = languages[name.split(".").at(-1) ?? ""]
  const file = join(folder, name)
  writeFileSync(file, (programs.get(name) ?? "").replace("@trunkline/client/webhooks", library))
  const port = await freePort()
  const [command = "", ...args] = language?.start(file, port) ?? []
  const child = spawn(command, args, {
    cwd: root,
    env: {
      ...clockVariables,
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      TMPDIR: folder,
      PORT: String(port),
      WEBHOOK_SECRETS: secrets
    }
  })
  let printed = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += chunk))
  while (!(await answers(port))) {
    if (child.exitCode !== null) return null
    await wait(20)
  }
  return { port, process: child, printed: () => printed }
}

const secretOf = (fill: number): string => makeSecret(new Uint8Array(32).fill(fill))
const [own, newer, older, stranger] = [secretOf(1), secretOf(2), secretOf(3), secretOf(4)]

/** Spaces, escapes and a number that no JSON writer would write like this: a program that writes it again makes another body. */
const bodyOf = (name: string): string =>
  `{"event":  "campaign.completed", "data": {"name": "Gr\\u00fc\\u00dfe ${name} 👋", "share": 1.50}, "timestamp": "2026-11-21T09:30:00+00:00"}`

interface Sent {
  readonly secrets?: Secrets
  readonly id?: string
  readonly signed?: string
  readonly at?: number
  readonly without?: ReadonlyArray<string>
}

describe.each([...programs.keys()])("%s", (name) => {
  const language = languages[name.split(".").at(-1) ?? ""]
  const command = language?.command ?? name
  if (spawnSync(command, [language?.version ?? ""]).status !== 0) {
    it.skip(`is not run [skipped: ${command} is not installed]`, () => undefined)
    return
  }

  let receiver: Receiver
  beforeAll(async () => {
    const started = await start(name, own)
    if (started === null) throw new Error(`${name} does not start`)
    receiver = started
  })
  afterAll(() => void receiver?.process.kill())

  const post = async (body: string, sent: Sent = {}, port = receiver.port): Promise<number | "dropped"> => {
    const { at = Date.now(), id = randomUUID(), secrets = [own], signed = body, without = [] } = sent
    const bytes = new TextEncoder().encode(signed)
    const headers = {
      "Content-Type": "application/json",
      "X-Service-Event": "campaign.completed",
      "X-Service-Delivery": id,
      ...signatureHeaders({ headerPrefix: "X-Service-", secrets, body: bytes }),
      ...standardHeaders({ id, at, body: bytes, secrets })
    }
    const kept = Object.entries(headers).filter(([one]) => !without.includes(one))
    const answer = await fetch(`http://127.0.0.1:${port}/hook`, { method: "POST", body, headers: kept }).catch(
      () => null
    )
    return answer?.status ?? "dropped"
  }

  const handled = (): number => receiver.printed().split("handle campaign.completed").length - 1

  // Verifies: W-83.
  it("accepts what we send", async () => {
    const before = handled()
    expect(await post(bodyOf("one"))).toBe(204)
    await expect.poll(handled).toBe(before + 1)
  })

  // Verifies: W-98.
  it("handles a delivery that comes again once, and answers both alike", async () => {
    const [before, id] = [handled(), randomUUID()]
    expect([await post(bodyOf("two"), { id }), await post(bodyOf("two"), { id })]).toEqual([204, 204])
    expect(await post(bodyOf("three"))).toBe(204)
    await expect.poll(handled).toBe(before + 2)
  })

  it("refuses a body that was changed, and what another secret or nothing has signed", async () => {
    const before = handled()
    const signatures = ["X-Service-Signature", "webhook-signature"]
    expect([
      await post(bodyOf("four"), { signed: bodyOf("five") }),
      await post(JSON.stringify(JSON.parse(bodyOf("four"))), { signed: bodyOf("four") }),
      await post(bodyOf("four"), { secrets: [stranger] }),
      await post(bodyOf("four"), { without: signatures })
    ]).toEqual([401, 401, 401, 401])
    expect(await post(bodyOf("six"))).toBe(204)
    await expect.poll(handled).toBe(before + 1)
  })

  it("works through a rotation, whether its one secret is the old or the new one", async () => {
    expect(await post(bodyOf("seven"), { secrets: [newer, own] })).toBe(204)
    expect(await post(bodyOf("eight"), { secrets: [own, older] })).toBe(204)
    expect(await post(bodyOf("nine"), { secrets: [newer, older] })).toBe(401)
  })

  it("accepts two secrets", async () => {
    const both = await start(name, `${newer},${own}`)
    try {
      expect(await post(bodyOf("ten"), {}, both?.port)).toBe(204)
      expect(await post(bodyOf("eleven"), { secrets: [newer] }, both?.port)).toBe(204)
      expect(await post(bodyOf("twelve"), { secrets: [stranger] }, both?.port)).toBe(401)
    } finally {
      both?.process.kill()
    }
  })

  it("accepts nothing without a secret", async () => {
    const open = await start(name, "")
    const body = new TextEncoder().encode(bodyOf("thirteen"))
    const headers = signatureHeaders({ headerPrefix: "X-Service-", secrets: [""], body })
    try {
      if (open === null) return
      const answer = await fetch(`http://127.0.0.1:${open.port}/hook`, { method: "POST", body, headers })
      expect(answer.status).toBe(401)
    } finally {
      open?.process.kill()
    }
  })

  it("accepts no body of more than a mebibyte", async () => {
    const before = handled()
    expect(await post(bodyOf("x".repeat(1_048_576)))).not.toBe(204)
    expect(await post(bodyOf("x".repeat(500_000)))).toBe(204)
    await expect.poll(handled).toBe(before + 1)
  })

  if (/verifyWebhook/.test(programs.get(name) ?? "")) {
    it("refuses an attempt that is older than five minutes", async () => {
      expect(await post(bodyOf("old"), { at: Date.now() - 240_000 })).toBe(204)
      expect(await post(bodyOf("old"), { at: Date.now() - 360_000 })).toBe(401)
      expect(await post(bodyOf("new"), { at: Date.now() + 360_000 })).toBe(401)
    })
  }
})

describe("the page", () => {
  it("has a program for Node, Python, Go and PHP, and no other code that nobody runs", () => {
    expect([...programs.keys()]).toEqual(["receive.mjs", "receive.py", "receive.go", "receive.php"])
    expect(page.match(/^```/gm)).toHaveLength(2 * programs.size)
  })

  it("names every reason for which verifyWebhook refuses", () => {
    const reasons: Record<RefusedWebhook["reason"], true> = {
      secret_missing: true,
      body_parsed: true,
      signature_missing: true,
      signature_malformed: true,
      signature_wrong: true,
      standard_missing: true,
      standard_malformed: true,
      standard_wrong: true,
      delivery_wrong: true,
      too_old: true,
      too_new: true
    }
    const table = page.slice(page.indexOf("| Reason |"), page.indexOf("## Team chat"))
    const first = [...table.matchAll(/^\|([^|]*)\|/gm)].map(([, cell = ""]) => cell).join()
    expect([...first.matchAll(/`(\w+)`/g)].map(([, reason]) => reason)).toEqual(Object.keys(reasons))
  })
})
