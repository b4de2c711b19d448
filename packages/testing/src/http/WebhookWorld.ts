/** A product that delivers, with endpoints that the test plays; a minute of it passes in 0.6 s. */
import { createHmac } from "node:crypto"
import { accelerated, type StorageProvider, type TrunklineOptions } from "@trunkline/core"
import { Endpoints, type Mood, type Posted } from "../webhooks/Endpoints.ts"
import { fakeOutbound } from "../webhooks/FakeOutbound.ts"
import type { Answer, Fields } from "./HttpClient.ts"
import { type HttpWorld, openWorld, type Start, until } from "./HttpWorld.ts"

export const webhooks = "/api/v1/webhooks"
export const emailWebhooks = "/api/v1/email/webhooks"

export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
export const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
/** The base64 of 32 bytes, after what says that it is a secret. */
export const secretText = /^whsec_[A-Za-z0-9+/]{43}=$/

const start = Date.UTC(2026, 10, 21, 6)
const speed = 100

export interface WebhookWorld extends HttpWorld {
  readonly endpoints: Endpoints
  /** With the key that may do everything. */
  readonly ask: (method: string, path: string, json?: unknown) => Promise<Answer>
  /** The URL of an endpoint that nobody else uses, and that behaves by its `mood`. */
  readonly endpoint: (mood?: Mood) => string
  readonly postsTo: (url: unknown) => ReadonlyArray<Posted>
  /** A dashboard token of a person of the account. */
  readonly person: (role: string) => Promise<string>
  /** An event happens for which webhooks get deliveries; returns its data. */
  readonly happens: (event?: string, botId?: string) => Promise<Fields>
  /** The newest entry of the account's audit log. */
  readonly audited: () => Promise<{ readonly actor: string; readonly action: string; readonly targetId: string | null }>
  /** A list of deliveries, once it has at least `count` and every one has ended. */
  readonly ended: (path: string, count?: number) => Promise<ReadonlyArray<Fields>>
}

export const openWebhookWorld = async (
  begin: Start,
  storage: () => StorageProvider,
  settings: Partial<TrunklineOptions> = {}
): Promise<WebhookWorld> => {
  const endpoints = new Endpoints()
  const world = await openWorld(begin, storage, {
    core: {
      clock: accelerated(start, speed),
      outbound: fakeOutbound(endpoints),
      auth: { jwt: { secret: "a secret for the tokens of this test" } },
      workers: { dialer: false },
      ...settings
    }
  })
  await world.core.start()
  let made = 0
  const ask = (method: string, path: string, json?: unknown) =>
    world.send(method, path, { key: world.key, ...(json === undefined ? {} : { json }) })

  return {
    ...world,
    endpoints,
    ask,
    endpoint: (mood) => {
      made += 1
      const host = `e${made}.example.com`
      if (mood !== undefined) endpoints.moods.set(host, mood)
      return `https://${host}/hooks`
    },
    postsTo: (url) => endpoints.log.filter(({ host }) => host === new URL(String(url)).hostname),
    person: async (role) => (await world.core.admin.createToken(world.account, { role, subject: "ada" })).token,
    happens: async (event = "voice_alert.triggered", botId) => {
      made += 1
      const data = { alert_id: `alert ${made}`, metric: "abandon_rate", value: 0.04, threshold: 0.03 }
      await world.core.events.publish(world.account, { event, data, ...(botId === undefined ? {} : { botId }) })
      return data
    },
    audited: async () => {
      const [newest] = await world.core.admin.audit(world.account, { limit: 1 })
      return newest!
    },
    ended: (path, count = 1) =>
      until(async () => {
        // The platform's routes have no word for a delivery that will be tried again: the library has.
        const [, id] = /^\/api\/v1\/webhooks\/([^/]+)/.exec(path) ?? []
        const known = id === undefined ? [] : (await world.core.webhooks.deliveries(world.account, id)).items
        const { items } = await ask("GET", path)
        const isOpen = [...known, ...items].some(({ status }) => status === "pending")
        return isOpen || items.length < count ? undefined : items
      })
  }
}

/** What the specified header must say of a body. */
export const signatureOf = (body: string, secret: unknown): string =>
  `sha256=${createHmac("sha256", String(secret)).update(body).digest("hex")}`
