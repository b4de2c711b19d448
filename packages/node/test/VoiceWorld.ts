/** One product on Node's own server whose models are a scripted upstream, and clients that hold conversations with it. */

import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { createTrunkline, type LogEntry, type Trunkline, type TrunklineOptions } from "@trunkline/core"
import { nodeHandler } from "@trunkline/node"
import { openai } from "@trunkline/providers/openai"
import { simulator } from "@trunkline/providers/simulator"
import { sqlite } from "@trunkline/storage-sqlite"
import { atMost } from "@trunkline/testing/slow-machine"
import { type FakeVoiceOptions, type FakeVoiceUpstream, startFakeVoiceUpstream } from "@trunkline/testing/upstreams"

// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of many forms
export type Answer = any

type Message = Readonly<Record<string, unknown>> & { readonly type: string }

/** Sound with the pitch, the harmonics and the rhythm of a voice: 16-bit samples at 24 kHz. */
export const voice = (ms: number): Int16Array => {
  let seed = 7
  return Int16Array.from({ length: ms * 24 }, (_, n) => {
    const t = n / 24_000
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
    // The pitch moves up and down, as that of a person does.
    const phase = 120 * t - (24 / (6.28 * 1.7)) * Math.cos(6.28 * 1.7 * t)
    let sum = 0
    for (let k = 1; k <= 24; k++) sum += Math.sin(6.2832 * k * phase + k * k) / Math.sqrt(k)
    return Math.round(2200 * (0.75 + 0.25 * Math.sin(6.28 * 4 * t)) * (sum * 0.5 + (seed / 0x3fffffff - 1) * 0.05))
  })
}

/** A client on the socket, which logs what it gets and counts the sound. */
export class VoiceClient {
  readonly messages: Array<Message> = []
  readonly socket: WebSocket
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
  soundBytes = 0
  readonly #waiting = new Set<() => void>()

  constructor(url: string, credential: string, scheme = "token") {
    this.socket = new WebSocket(url, [scheme, credential])
    this.socket.binaryType = "arraybuffer"
    this.socket.addEventListener("message", ({ data }) => {
      if (typeof data === "string") this.messages.push(JSON.parse(data) as Message)
      else this.soundBytes += (data as ArrayBuffer).byteLength
      for (const check of this.#waiting) check()
    })
    this.closed = new Promise((resolve) =>
      this.socket.addEventListener("close", ({ code, reason }) => resolve({ code, reason }))
    )
  }

  get types(): ReadonlyArray<string> {
    return this.messages.map(({ type }) => type)
  }

  texts(role: "assistant" | "user"): string {
    const said = this.messages.filter((one) => one.type === "ConversationText" && one.role === role)
    return said.map(({ content }) => content).join(" ")
  }

  send(message: object): void {
    this.socket.send(JSON.stringify(message))
  }

  /** The next message of a type, or the nth. */
  async hears(type: string, nth = 1): Promise<Message> {
    const find = () => this.messages.filter((one) => one.type === type)[nth - 1]
    const found = find()
    if (found !== undefined) return found
    return await new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`no ${type}: ${JSON.stringify(this.messages)}`)), 300_000)
      const check = () => {
        const one = find()
        if (one === undefined) return
        clearTimeout(late)
        this.#waiting.delete(check)
        resolve(one)
      }
      this.#waiting.add(check)
    })
  }

  /** Speaks in real time, and is silent afterwards. */
  async speak(ms: number, silentMs = 800): Promise<void> {
    const samples = new Int16Array((200 + ms + silentMs) * 24)
    samples.set(voice(ms), 200 * 24)
    await this.sounds(samples)
  }

  /** Sends sound of 24 kHz in real time, and completes with the last of it. */
  async sounds(samples: Int16Array<ArrayBuffer>): Promise<void> {
    const from = performance.now()
    for (let at = 0; at < samples.length; at += 960) {
      const ahead = from + at / 24 - performance.now()
      if (ahead > 5) await sleep(ahead)
      this.socket.send(samples.slice(at, at + 960))
    }
  }
}

export interface VoiceWorld {
  readonly core: Trunkline
  readonly upstream: FakeVoiceUpstream
  readonly origin: string
  readonly accountId: string
  readonly key: string
  readonly log: ReadonlyArray<LogEntry>
  /** Opens a socket, by the key unless another credential is given. */
  readonly connect: (credential?: string) => VoiceClient
  /** The same, with settings that have been applied. */
  readonly begin: (agent?: object, settings?: object) => Promise<VoiceClient>
  readonly ask: (
    method: string,
    path: string,
    body?: unknown
  ) => Promise<{ readonly status: number; readonly body: Answer }>
  /** The session once it has ended. */
  readonly ended: (client: VoiceClient) => Promise<Answer>
  /** What was paid since the world began, in nano-credits, from all sides. */
  readonly books: () => Promise<Books>
  /** Ends everything once no session is active, and fails where its books do not agree. */
  readonly stop: () => Promise<void>
  /** Ends everything as it is. */
  readonly halt: () => Promise<void>
}

export interface Books {
  /** Missing from the credit that was added. */
  readonly ledger: bigint
  /** Of all rows of usage. */
  readonly rows: bigint
  /** Of all calls by telephone. */
  readonly calls: bigint
  /** Of the stages of all sessions, as the route of their cost has it. */
  readonly costs: bigint
  /** Held for what runs. */
  readonly reserved: bigint
}

export interface VoiceWorldOptions {
  readonly fake?: FakeVoiceOptions
  readonly plan?: "enterprise" | "free" | "pro" | "starter"
  readonly credits?: string
  readonly options?: Partial<TrunklineOptions>
}

/** Decimal credits in nano-credits. */
const nano = (credits: string | number): bigint => BigInt(Math.round(Number(credits) * 1e9))

const sum = (amounts: ReadonlyArray<bigint>): bigint => amounts.reduce((all, one) => all + one, 0n)

/** Whatever happened: what was used is paid, nothing else is, and nothing is held any more. */
const checkBooks = (books: Books): void => {
  const { calls, costs, ledger, reserved, rows } = books
  if (reserved === 0n && ledger === rows + calls && costs === rows) return
  throw new Error(`the books do not agree: ${Object.entries(books).map((entry) => entry.join(" "))}`)
}

/** Waits until it is so, and fails after that time. */
export const until = async (what: string, isSo: () => Promise<boolean> | boolean, ms = 300_000): Promise<void> => {
  const from = performance.now()
  while (!(await isSo())) {
    if (performance.now() - from > ms) throw new Error(`not so after ${ms} ms: ${what}`)
    await sleep(20)
  }
}

/** A product's timeout that is to be reached here: on a slow machine it leaves time for what is not to reach it. */
export const shortTimeout = (ms: number): number => Math.round(Math.min(atMost(ms), Math.max(ms, 20_000)))

/** The timeouts of voice as they are, and on a slow machine as long as they may be. */
const timeouts = () => {
  const [stages, model] = [Math.min(atMost(5000), 60_000), Math.min(atMost(8000), 60_000)].map(Math.round)
  return { sttTimeoutMs: stages!, llmTimeoutMs: model!, ttsTimeoutMs: stages! }
}

export const voiceWorld = async ({
  credits = "1000",
  fake,
  options,
  plan = "pro"
}: VoiceWorldOptions = {}): Promise<VoiceWorld> => {
  const upstream = await startFakeVoiceUpstream(fake)
  const log: Array<LogEntry> = []
  const core = await createTrunkline({
    storage: sqlite(":memory:"),
    telephony: simulator(),
    encryptionKey: "the-key-of-the-tests-of-voice-agents",
    limits: { perIpPerMinute: null },
    models: {
      upstreams: { all: openai({ baseUrl: upstream.url }) },
      routes: { "*": { upstream: "all" } },
      // Failures are what many of these tests are about.
      breaker: null
    },
    log: (entry) => void log.push(entry),
    ...options,
    voice: { ...timeouts(), ...options?.voice }
  })
  const { id: accountId } = await core.admin.createAccount({ name: "Voice", plan, voiceCampaigns: true })
  if (credits !== "0") await core.admin.addCredits(accountId, credits)
  const opening = await core.admin.credits(accountId)
  const { text: key } = await core.admin.createKey(accountId, { scopes: ["*"], requestsPerMinute: 100_000 })
  await core.start()
  const handle = nodeHandler(core)
  const server = createServer((request, response) => handle(request, response))
  server.on("upgrade", (request, socket, head) => core.upgrade(request, socket, head) || socket.destroy())
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const connect = (credential = key) => new VoiceClient(`${origin.replace("http", "ws")}/v1/agent/converse`, credential)

  const ask: VoiceWorld["ask"] = async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await answer.text()
    return { status: answer.status, body: text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : text }
  }

  const books: VoiceWorld["books"] = async () => {
    const [{ balance, reserved }, usage, calls, sessions] = await Promise.all([
      core.admin.credits(accountId),
      ask("GET", "/v1/usage/logs?limit=1000"),
      ask("GET", "/api/v1/telephony/calls?limit=500"),
      ask("GET", "/v1/voice/sessions?limit=200")
    ])
    // One after the other: a key has few places.
    const costs: Array<Answer> = []
    for (const { id } of sessions.body) costs.push((await ask("GET", `/v1/voice/sessions/${id}/cost`)).body)
    const items = costs.flatMap(({ items }) => items)
    const paid = ({ credits: amount }: { credits: number }) => nano(amount)
    return {
      ...{ ledger: nano(opening.balance) - nano(balance), reserved: nano(reserved) },
      ...{ rows: sum(usage.body.map(paid)), calls: sum(calls.body.map(paid)), costs: sum(items.map(paid)) }
    }
  }

  const halt: VoiceWorld["halt"] = async () => {
    server.closeAllConnections()
    await core.stop()
    server.close()
    await upstream.stop()
  }

  const noneActive = async () => (await ask("GET", "/v1/voice/sessions?status=active")).body.length === 0

  return {
    ...{ core, upstream, origin, accountId, key, log, connect, ask, books, halt },
    begin: async (agent = {}, settings = {}) => {
      const client = connect()
      await client.hears("Welcome")
      client.send({
        type: "Settings",
        ...settings,
        agent: { think: { provider: { model: "gemma-4-26b-a4b-it" } }, ...agent }
      })
      await client.hears("SettingsApplied")
      return client
    },
    ended: async (client) => {
      await client.closed
      const { request_id } = await client.hears("Welcome")
      const session = () => ask("GET", `/v1/voice/sessions/${request_id}`)
      // A client that leaves does not wait for its session.
      await until("the session is over", async () => (await session()).body.ended_at !== null)
      return (await session()).body
    },
    stop: async () => {
      try {
        await until("no session is active", noneActive)
        checkBooks(await books())
      } finally {
        await halt()
      }
    }
  }
}
