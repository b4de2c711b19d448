/** The product with its pages, at several places of one machine, and people who look at them in one browser. */
import { once } from "node:events"
import { createServer, type IncomingMessage, request as requestOf, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import {
  accelerated,
  createTrunkline,
  type DashboardOptions,
  type Trunkline,
  type TrunklineOptions
} from "@trunkline/core"
import { dashboard } from "@trunkline/dashboard"
import { nodeHandler } from "@trunkline/node"
import { simulator } from "@trunkline/providers/simulator"
import { webChat } from "@trunkline/providers/web-chat"
import { sqlite } from "@trunkline/storage-sqlite"
import { quickPasswords } from "@trunkline/testing/passwords"
import type { Browser } from "playwright-core"
import { type StartedBrowser, startChromium } from "../../../test/Chromium.ts"
import { type Visit, type VisitOptions, visitIn } from "./Visits.ts"

/** Monday noon in Berlin, so that calls may start. */
const startsAt = Date.UTC(2026, 10, 30, 11)
const speed = 20

const segments = "/calling/eu"

export interface DashboardWorld {
  readonly core: Trunkline
  readonly account: string
  /** The page at the root, below two segments, and behind a proxy that strips two more. */
  readonly places: { readonly root: string; readonly below: string; readonly behind: string }
  /** A page of another origin that frames the page at the root. */
  readonly stranger: (fragment: string) => string
  readonly tokenFor: (role: string, secondsToLive?: number) => Promise<string>
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at one field of an answer at a time.
  readonly ask: (method: string, path: string, body?: unknown) => Promise<any>
  /** People of a CSV file on the list of a campaign, and in the address book. */
  readonly importPeople: (campaignId: string, csv: string) => Promise<void>
  /** The product's clock. */
  readonly now: () => number
  /** So much time goes by. */
  readonly pass: (ms: number) => void
  /** The server is away, or back. */
  readonly setAway: (isAway: boolean) => void
  /** The next requests whose path matches are answered so, without the product. */
  readonly intercept: (match: RegExp, answer: (response: ServerResponse) => void) => () => void
  readonly requests: Array<string>
  readonly visit: (use: (visit: Visit) => Promise<void>, options?: Partial<VisitOptions>) => Promise<void>
  readonly close: () => Promise<void>
}

const listen = async (server: Server): Promise<string> => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A proxy whose own segments are taken off. */
const proxy = (origin: () => string, prefix: string, target: string): Server =>
  createServer((request, response) => {
    const path = request.url ?? "/"
    if (!path.startsWith(prefix)) return void response.writeHead(404).end()
    const passed = requestOf(
      `${origin()}${target}${path.slice(prefix.length)}`,
      { method: request.method, headers: request.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      }
    )
    passed.on("error", () => response.destroy())
    response.on("close", () => passed.destroy())
    request.pipe(passed)
  })

/** What a vendor decides otherwise. */
export interface VendorOptions {
  readonly brand?: TrunklineOptions["brand"]
  readonly dashboard?: DashboardOptions
  readonly oidc?: NonNullable<TrunklineOptions["auth"]>["oidc"]
  /** Through which networks customers write; by default the chat of a page alone. */
  readonly messaging?: TrunklineOptions["messaging"]
  /** Who answers for agents. */
  readonly models?: TrunklineOptions["models"]
  /** Whom webhooks are sent to. */
  readonly outbound?: TrunklineOptions["outbound"]
  /** How fast the product's clock runs: by default calls end in seconds, and so do all waits for others. */
  readonly speed?: number
}

export const openDashboard = async (vendor: VendorOptions = {}): Promise<DashboardWorld> => {
  let isAway = false
  const requests: Array<string> = []
  const intercepted: Array<{ readonly match: RegExp; readonly answer: (response: ServerResponse) => void }> = []
  const open = new Set<ServerResponse>()
  let handle: ReturnType<typeof nodeHandler> | undefined
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    open.add(response)
    response.on("close", () => open.delete(response))
    const url = request.url ?? "/"
    requests.push(`${request.method} ${url}`)
    if (isAway) {
      request.socket.destroy()
      return
    }
    const one = intercepted.find(({ match }) => match.test(`${request.method} ${url}`))
    if (one !== undefined) one.answer(response)
    else void handle?.(request, response, { path: url.startsWith(`${segments}/`) ? url.slice(segments.length) : url })
  }
  const server = createServer(serve)
  const origin = await listen(server)
  const stranger = createServer(({ url }, response) =>
    response
      .writeHead(200, { "content-type": "text/html" })
      .end(
        `<!doctype html><html lang="en"><title>Host</title><script>heard = []; addEventListener("message", ({ data }) => heard.push(data))</script><iframe title="Calls" width="900" height="700" src="${origin}/dashboard/#${decodeURIComponent((url ?? "").slice(2))}"></iframe>`
      )
  )
  const elsewhere = await listen(stranger)
  const clock = accelerated(startsAt, vendor.speed ?? speed)
  let passed = 0
  const core = await createTrunkline({
    storage: quickPasswords(sqlite(":memory:")),
    telephony: simulator(),
    messaging: vendor.messaging ?? { channels: [webChat({ secret: "a secret for the visitors of this test" })] },
    encryptionKey: "a key for the secrets of this test",
    clock: { now: () => clock.now() + passed, speed: clock.speed },
    auth: {
      jwt: { secret: "a secret for the tokens of this test" },
      signIn: { enabled: true },
      ...(vendor.oidc === undefined ? {} : { oidc: vendor.oidc })
    },
    ...(vendor.models === undefined ? {} : { models: vendor.models }),
    ...(vendor.outbound === undefined ? {} : { outbound: vendor.outbound }),
    ...(vendor.brand === undefined ? {} : { brand: vendor.brand }),
    // As long for the people at the pages as two minutes are.
    dashboard: dashboard({
      name: "Northwind Calls",
      frameAncestors: ["'self'", elsewhere],
      previewHoldSeconds: 120 * clock.speed,
      ...(vendor.oidc === undefined ? {} : { publicUrl: origin }),
      ...vendor.dashboard
    }),
    limits: { perIpPerMinute: null }
  })
  await core.start()
  const { id: account } = await core.admin.createAccount({
    name: "Northwind",
    plan: "enterprise",
    voiceCampaigns: true
  })
  await core.admin.addCredits(account, "5000")

  handle = nodeHandler(core)
  const outer = proxy(() => origin, "/a/proxy", segments)
  const outside = await listen(outer)

  const started: StartedBrowser = await startChromium()
  const browser: Browser = started.browser

  const tokenFor = async (role: string, secondsToLive = 86_400) =>
    (await core.admin.createToken(account, { role, subject: `person-${role}`, secondsToLive })).token

  let key: string | undefined
  const send = async (method: string, path: string, request: RequestInit) => {
    key ??= (await core.admin.createKey(account, { scopes: ["*"] })).text
    const headers = { ...request.headers, authorization: `Bearer ${key}` }
    const answer = await fetch(`${origin}/api/v1${path}`, { ...request, method, headers })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return text === "" ? null : JSON.parse(text)
  }
  const ask: DashboardWorld["ask"] = (method, path, body) =>
    send(method, path, {
      headers: { "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  const importPeople = async (campaignId: string, csv: string): Promise<void> => {
    const form = new FormData()
    form.append("file", new Blob([csv], { type: "text/csv" }), "people.csv")
    form.append("dry_run", "false")
    await send("POST", `/voice-campaigns/${campaignId}/contacts/import`, { body: form })
  }

  const visit: DashboardWorld["visit"] = (use, options = {}) =>
    visitIn(browser, use, { at: `${origin}/dashboard/`, origin, ...options })

  return {
    core,
    account,
    places: {
      root: `${origin}/dashboard/`,
      below: `${origin}${segments}/dashboard/`,
      behind: `${outside}/a/proxy/dashboard/`
    },
    stranger: (fragment) => `${elsewhere}/?${encodeURIComponent(fragment)}`,
    tokenFor,
    ask,
    importPeople,
    requests,
    now: () => clock.now() + passed,
    pass: (ms) => {
      passed += ms
    },
    setAway: (away) => {
      isAway = away
      if (away) for (const response of open) response.destroy()
    },
    intercept: (match, answer) => {
      const one = { match, answer }
      intercepted.push(one)
      return () => void intercepted.splice(intercepted.indexOf(one), 1)
    },
    visit,
    close: async () => {
      await started.close()
      for (const one of [server, outer, stranger]) {
        one.closeAllConnections()
        one.close()
      }
      await core.stop()
    }
  }
}
