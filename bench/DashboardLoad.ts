/**
 * What a person waits for who opens the dashboard: bytes and requests of the first page, bytes of each further one, and the time to a
 * list of 50 campaigns, in Chromium with a processor that is slowed four times, with and without a slow line. The page alone is
 * measured with everything cold; product and browser are on the same machine.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createTrunkline } from "@trunkline/core"
import { dashboard } from "@trunkline/dashboard"
import { nodeHandler } from "@trunkline/node"
import { sqlite } from "@trunkline/storage-sqlite"
import type { Browser } from "playwright-core"
import { files } from "../packages/dashboard/BuiltFiles.ts"
import { chromiumPath, startChromium } from "../test/Chromium.ts"
import { type Figure, progress, report } from "./Figures.ts"
import { median } from "./Rounds.ts"

const rounds = 5
const rows = 50
/** 1.6 Mbit/s, and 150 ms there and back. */
const slowLine = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }

const kilobytes = (names: ReadonlyArray<string>): number =>
  names.reduce((sum, name) => sum + Buffer.byteLength(files[name]?.brotli ?? "", "base64"), 0) / 1000

/** A page that has its list from the beginning: what browser and machine need by themselves. */
const bare = `<!doctype html><html lang="en"><title>Bare</title><a href="#">Campaign ${rows - 1}</a>`

/** The product with 50 campaigns, and one person who is signed in. */
const serve = async () => {
  let accountId = ""
  const core = await createTrunkline({
    storage: sqlite(":memory:"),
    encryptionKey: "a key of at least 32 characters, to measure",
    limits: { perIpPerMinute: null },
    dashboard: dashboard(),
    auth: { authenticate: () => ({ accountId, subject: "ann", name: "Ann", role: "owner" }) }
  })
  accountId = (await core.admin.createAccount({ name: "Example", voiceCampaigns: true })).id
  for (let n = 0; n < rows; n++) await core.campaigns.create(accountId, { name: `Campaign ${n}` })
  const handle = nodeHandler(core)
  const server = createServer((request, response) => {
    if (core.matches(request.url!.split("?")[0]!)) handle(request, response)
    else if (request.url === "/bare") response.writeHead(200, { "content-type": "text/html" }).end(bare)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await core.stop()
  }
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url: `${origin}/dashboard/`, bareUrl: `${origin}/bare`, close }
}

interface Visit {
  readonly ms: number
  readonly requests: number
  /** Files of the pages. */
  readonly loaded: ReadonlyArray<string>
}

/** The page of the product and the bare one, each on both lines. */
type Line = "quick" | "slow" | "bareQuick" | "bareSlow"

/** One visit with an empty cache: what came until the list was there. */
const visit = async (browser: Browser, url: string, line: typeof slowLine | null): Promise<Visit> => {
  const context = await browser.newContext()
  const page = await context.newPage()
  const client = await context.newCDPSession(page)
  await client.send("Network.enable")
  await client.send("Emulation.setCPUThrottlingRate", { rate: 4 })
  if (line !== null) await client.send("Network.emulateNetworkConditions", line)
  const asked: Array<string> = []
  page.on("request", (request) => asked.push(new URL(request.url()).pathname))
  const began = performance.now()
  await page.goto(`${url}#/campaigns`)
  await page.getByRole("link", { name: "Campaign 49", exact: true }).waitFor({ timeout: 60_000 })
  const ms = performance.now() - began
  const until = asked.length
  const loaded = asked.slice(0, until).flatMap((path) => /\/(assets\/[^/]+)$/.exec(path)?.[1] ?? [])
  await context.close()
  return { ms, requests: until, loaded }
}

const figures = async (): Promise<ReadonlyArray<Figure>> => {
  if (chromiumPath === undefined)
    return [{ what: "Chromium", measured: "is not here: apt-get install chromium-headless-shell" }]
  const { browser, close: closeBrowser } = await startChromium()
  const { bareUrl, close, url } = await serve()
  try {
    const visits = { quick: [], slow: [], bareQuick: [], bareSlow: [] } as Record<Line, Array<Visit>>
    // The first visit fills the caches of the disk.
    for (let round = 0; round <= rounds; round++) {
      progress(`round ${round} of ${rounds}`)
      const made: Record<Line, Visit> = {
        quick: await visit(browser, url, null),
        slow: await visit(browser, url, slowLine),
        bareQuick: await visit(browser, bareUrl, null),
        bareSlow: await visit(browser, bareUrl, slowLine)
      }
      if (round === 0) continue
      for (const line of Object.keys(made) as ReadonlyArray<Line>) visits[line].push(made[line])
    }
    const { loaded, requests } = visits.quick[0]!
    const of = (ending: string) => kilobytes(loaded.filter((name) => name.endsWith(ending)))
    const further = Object.keys(files).filter((name) => name.startsWith("assets/") && !loaded.includes(name))
    const largest = Math.max(0, ...further.map((name) => kilobytes([name])))
    const seconds = (name: keyof typeof visits) => median(visits[name].map(({ ms }) => ms / 1000))
    const bytes = (what: string, value: number, atMost: number): Figure => ({
      what,
      measured: `${value.toFixed(1)} kB`,
      judged: { value, unit: " kB", bar: { atMost } }
    })
    return [
      bytes("first page: scripts", of(".js"), 160),
      bytes("first page: styles", of(".css"), 20),
      {
        what: "requests to the first list",
        measured: String(requests),
        judged: { value: requests, bar: { atMost: 8 } }
      },
      bytes("the largest further page", largest, 40),
      ...(
        [
          ["quick", "bareQuick", "list of 50", 1.2],
          ["slow", "bareSlow", "list of 50 at 1.6 Mbit/s and 150 ms", 3]
        ] as const
      ).map(([name, floor, what, atMost]) => ({
        what,
        measured: `${seconds(name).toFixed(2)} s`,
        against: `a page that has its list from the beginning ${seconds(floor).toFixed(2)} s`,
        judged: { value: seconds(name), unit: " s", bar: { atMost } }
      }))
    ]
  } finally {
    await closeBrowser()
    await close()
  }
}

report(await figures())
