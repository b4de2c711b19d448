/** One product behind one host, with two accounts and keys, and a carrier that the test plays. */
import { createHash } from "node:crypto"
import {
  createTrunkline,
  type HostAnswer,
  type LogEntry,
  type StorageProvider,
  type Trunkline,
  type TrunklineOptions
} from "@trunkline/core"
import {
  CallbackRefused,
  type CallNews,
  Carrier,
  Ids,
  Instant,
  internalsOf,
  telephonyProvider
} from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect } from "vitest"
import { FakeNetwork, fakeCarrier } from "../FakeCarrier.ts"
import { quickPasswords } from "../QuickPasswords.ts"
import { contract } from "./Contract.ts"
import { type Answer, type HttpClient, httpClient, type Reached } from "./HttpClient.ts"

export interface ServeOptions {
  /** Where the product is mounted. Default: at the root. */
  readonly prefix?: string
  /** Whether the host has a JSON parser in front, and whether it keeps the bytes. Hosts that parse later ignore it. */
  readonly bodyParser?: "none" | "before" | "before-with-raw"
  /** The host's own sign-in, given a way to read headers of the host's own request. */
  readonly authenticate?: (header: (name: string) => string | undefined) => HostAnswer | PromiseLike<HostAnswer>
}

export interface Served extends Reached {
  /** Ends as the host's own shutdown does: nothing new is taken, what is under way is answered. */
  readonly close: () => Promise<void>
}

/**
 * Puts a product behind a host and listens on a free port of 127.0.0.1. The host has routes of its own: `GET /host` and
 * `GET <prefix>/host` answer 200 with the text `host`, `POST /host/echo` answers with the JSON that it got, and
 * everything else answers 404 with a text that contains `no page of the host`.
 */
export type Start = (core: Trunkline, options: ServeOptions) => Promise<Served>

export interface WorldOptions {
  readonly serve?: ServeOptions
  readonly core?: Partial<TrunklineOptions>
  /** True where passwords are to cost what they cost elsewhere. */
  readonly hasCostlyPasswords?: boolean
}

export interface HttpWorld extends HttpClient {
  readonly core: Trunkline
  readonly served: Served
  readonly network: FakeNetwork
  readonly log: ReadonlyArray<LogEntry>
  readonly account: string
  /** A key that may do everything. */
  readonly key: string
  /** A key of another account. */
  readonly stranger: string
  readonly keyWith: (...scopes: ReadonlyArray<string>) => Promise<string>
  /** Lets the carrier report, over HTTP and signed. */
  readonly report: (callId: string, news: CallNews) => Promise<Answer>
  readonly close: () => Promise<void>
}

export const campaigns = "/api/v1/voice-campaigns"
export const callback = "/api/v1/telephony/providers/fake/callback"
/** An id that nothing has. */
export const nobody = "00000000-0000-4000-8000-000000000000"

const digest = (body: Uint8Array): string => createHash("sha256").update(body).digest("hex")

/** Headers of a callback that the carrier has signed. */
export const signed = (body: string | Uint8Array): { readonly "x-digest": string } => ({
  "x-digest": digest(Buffer.from(body))
})

const isNews = (value: unknown): value is { readonly callId: string; readonly news: CallNews } =>
  typeof value === "object" && value !== null && "callId" in value && "news" in value

/** The suite's carrier: a callback is signed by the SHA-256 of its bytes, and what is no JSON reports nothing. */
const carrier = (network: FakeNetwork) =>
  Layer.succeed(Carrier, {
    ...fakeCarrier(network, { callbacks: { proof: { header: "x-digest", form: /^[0-9a-f]{64}$/ } } }),
    read: Effect.fnUntraced(function* ({ body, headers }) {
      if (headers["x-digest"] !== digest(body)) {
        return yield* new CallbackRefused({ reason: "signature", detail: "the callback's signature does not hold" })
      }
      const said: unknown = yield* Effect.try({
        try: () => JSON.parse(Buffer.from(body).toString()),
        catch: () => null
      }).pipe(Effect.orElseSucceed(() => null))
      if (!isNews(said)) return { reports: [], reply: { contentType: "text/xml", body: "<Response/>" } }
      const { callId, news } = said
      const report = { callId: Ids.as<"Call">(callId), providerCallId: `FAKE-${callId}`, at: yield* Instant.now, news }
      return { reports: [report], reply: null }
    })
  })

export const openWorld = async (
  start: Start,
  storage: () => StorageProvider,
  { core: settings, hasCostlyPasswords = false, serve = {} }: WorldOptions = {}
): Promise<HttpWorld> => {
  const network = new FakeNetwork()
  const log: Array<LogEntry> = []
  const core = await createTrunkline({
    storage: hasCostlyPasswords ? storage() : quickPasswords(storage()),
    telephony: telephonyProvider(carrier(network)),
    encryptionKey: "a key for the secrets of this test",
    log: (entry) => log.push(entry),
    ...settings,
    limits: { perIpPerMinute: null, ...settings?.limits }
  })
  const { id: account } = await core.admin.createAccount({ name: "Account", voiceCampaigns: true })
  const other = await core.admin.createAccount({ name: "Stranger", voiceCampaigns: true })
  const keyWith = async (...scopes: ReadonlyArray<string>) => (await core.admin.createKey(account, { scopes })).text
  const key = await keyWith("*")
  const stranger = (await core.admin.createKey(other.id)).text
  const served = await start(core, serve)
  const explain = () => log.map(({ message }) => message).join("\n")
  const { brand, auth } = settings ?? {}
  // Where people sign in with a password there are routes that are not there elsewhere.
  const rules = contract([brand, auth?.signIn?.enabled, auth?.oidc !== undefined], internalsOf(core).description)
  const client = httpClient(served, serve.prefix ?? "", rules, explain)
  return {
    ...client,
    core,
    served,
    network,
    log,
    account,
    key,
    stranger,
    keyWith,
    report: (callId, news) => {
      const body = JSON.stringify({ callId, news })
      return client.send("POST", callback, { body, headers: { "content-type": "application/json", ...signed(body) } })
    },
    close: async () => {
      await served.close()
      await core.stop()
    }
  }
}

/** Creates a campaign and answers with its path. */
export const aCampaign = async (world: HttpWorld, fields: object = {}): Promise<string> => {
  const { body, status } = await world.send("POST", campaigns, { key: world.key, json: { name: "A list", ...fields } })
  expect(status).toBe(201)
  return `${campaigns}/${body.id}`
}

/** Waits, in real time, until something is so: work of the background comes when it comes. */
export const until = async <A>(look: () => Promise<A | undefined>): Promise<A> => {
  const deadline = performance.now() + 300_000
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (performance.now() > deadline) throw new Error("it did not come to pass within five minutes")
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** The headers of every event stream that keep caches, a host's compression and proxies from holding it back. */
export const unheld = { "cache-control": "no-cache, no-transform", "x-accel-buffering": "no" }

/** A gate that a test opens: work that waits at it continues then. */
export const gate = () => {
  let open = () => {}
  let arrive = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  return {
    /** Resolves when somebody has come to the door. */
    arrived,
    open: () => open(),
    wait: () => {
      arrive()
      return opened
    }
  }
}
