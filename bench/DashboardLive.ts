/**
 * An open dashboard in Chromium while the product is at work: what moves on it, how soon a change is seen, what it asks the server for,
 * what it holds, and how a list of 100,000 rows scrolls. Two processes stand on one database, and the pages belong to the second.
 */
import type { ChildProcess } from "node:child_process"
import type { Browser, CDPSession, Page } from "playwright-core"
import { chromiumPath, startChromium } from "../test/Chromium.ts"
import { messageOf, start } from "./Children.ts"
import type { Asked, Served } from "./DashboardProcess.ts"
import { database, folder } from "./Database.ts"
import { type Figure, progress, report } from "./Figures.ts"
import { fixedLoop } from "./FixedLoop.ts"
import { postgresServer } from "./Postgres.ts"
import { median } from "./Rounds.ts"

const runs = 5
const longList = 100_000
const notes = 10_000
const minuteMs = 60_000

interface Process extends Served {
  readonly child: ChildProcess
  readonly ask: <A>(asked: Asked) => Promise<A>
  // biome-ignore lint/suspicious/noExplicitAny: one field of an answer is looked at.
  readonly send: (method: string, path: string, body?: unknown) => Promise<any>
}

const serve = async (kind: string, where: string, accounts: ReadonlyArray<string>): Promise<Process> => {
  const child = start("DashboardProcess.ts", [kind, where, ...accounts])
  const served = await messageOf<Served>(child)
  const ask: Process["ask"] = (asked) => {
    const answer = messageOf(child)
    child.send(asked)
    return answer as never
  }
  const send: Process["send"] = async (method, path, body) => {
    const headers = { "content-type": "application/json" }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(`${served.origin}/api/v1${path}`, { method, headers, ...sent })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return text === "" ? null : JSON.parse(text)
  }
  return { ...served, child, ask, send }
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const percentile = (times: ReadonlyArray<number>, part: number): number =>
  [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))]!

interface Opened {
  readonly page: Page
  readonly client: CDPSession
  /** Since the page was opened, without what follows a key or a click. */
  readonly shift: () => Promise<number>
}

/** A person opens a place of the dashboard in a browser that knows nothing of it. */
const open = async <A>(browser: Browser, url: string, use: (opened: Opened) => Promise<A>): Promise<A> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-GB" })
  context.setDefaultTimeout(120_000)
  try {
    const page = await context.newPage()
    await page.addInitScript(() => {
      const seen = { shift: 0, longest: 0 }
      Object.assign(window, { seen })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as Array<PerformanceEntry & { hadRecentInput: boolean; value: number }>)
          if (!entry.hadRecentInput) seen.shift += entry.value
      }).observe({ type: "layout-shift", buffered: true })
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration)
      }).observe({ type: "longtask" })
    })
    await page.goto(url)
    await page.getByRole("heading", { level: 1 }).waitFor()
    const shift = () => page.evaluate(() => (window as never as { seen: { shift: number } }).seen.shift)
    return await use({ page, client: await context.newCDPSession(page), shift })
  } finally {
    await context.close()
  }
}

const isLive = (page: Page) => page.getByRole("status", { name: "Connection" }).getByText("Live").waitFor()

const hours = { timezone: "UTC", quiet_hours_start: 0, quiet_hours_end: 24 }

/** A campaign that calls five people at a time, with enough of them for an hour. */
const calling = async ({ send }: Process): Promise<string> => {
  const { id } = await send("POST", "/voice-campaigns", {
    name: "At work",
    ...hours,
    dial_mode: "parallel",
    parallel_lines: 5
  })
  const contacts = Array.from({ length: 1000 }, (_, n) => ({ phone: `+4930${5_000_000 + n}00`, name: `Person ${n}` }))
  await send("POST", `/voice-campaigns/${id}/contacts`, { contacts })
  for (const status of ["scheduled", "running"]) await send("POST", `/voice-campaigns/${id}/status`, { status })
  return id
}

const places = (campaign: string): Readonly<Record<string, string>> => ({
  Campaigns: "#/campaigns",
  "a campaign at work": `#/campaigns/${campaign}`,
  Calls: "#/calls",
  Contacts: "#/contacts",
  Inbox: "#/inbox",
  Preview: "#/preview",
  "Do not call": "#/do-not-call"
})

/** 19.4 */
const shifts = async (
  browser: Browser,
  { origin, send }: Process,
  campaign: string
): Promise<ReadonlyArray<Figure>> => {
  const opening: Record<string, number> = {}
  const live: Record<string, number> = {}
  const address = (place: string) => `${origin}/dashboard/${place}`
  await Promise.all(
    Object.entries(places(campaign)).map(([name, place]) =>
      open(browser, address(place), async ({ page, shift }) => {
        await isLive(page)
        await wait(5000)
        opening[name] = await shift()
      })
    )
  )
  let isOver = false
  // What the carrier does not change, somebody else does.
  const changes = (async () => {
    for (let n = 0; !isOver; n++) {
      await send("POST", "/voice-campaigns", { name: `New ${n}`, ...hours })
      await send("PATCH", `/voice-campaigns/${campaign}`, { name: `At work ${n}` })
      await send("POST", "/contacts", { phone: `+4930${7_000_000 + n}00`, name: `New ${n}` })
      await send("POST", "/voice-campaigns/dnc", { entries: [{ phone: `+4930${8_000_000 + n}00` }] })
      await wait(500)
    }
  })()
  await Promise.all(
    Object.entries(places(campaign)).map(([name, place]) =>
      open(browser, address(place), async ({ page, shift }) => {
        await isLive(page)
        await wait(3000)
        const before = await shift()
        await wait(30_000)
        live[name] = (await shift()) - before
      })
    )
  )
  isOver = true
  await changes
  const figure = (what: string, of: Readonly<Record<string, number>>): Figure => {
    const [[worst, value] = ["", 0]] = Object.entries(of).sort(([, a], [, b]) => b - a)
    return {
      what,
      measured: Object.entries(of)
        .map(([name, one]) => `${name} ${one.toFixed(4)}`)
        .join(", "),
      against: worst,
      judged: { value, bar: { atMost: 0.01 } }
    }
  }
  return [figure("layout shift when opened", opening), figure("layout shift in 30 s of changes", live)]
}

/** 19.7 */
const requests = (browser: Browser, { origin }: Process, campaign: string): Promise<ReadonlyArray<Figure>> =>
  open(browser, `${origin}/dashboard/#/campaigns/${campaign}`, async ({ page }) => {
    await isLive(page)
    await wait(3000)
    const asked: Array<{ readonly at: number; readonly path: string }> = []
    page.on("request", (request) => asked.push({ at: performance.now(), path: new URL(request.url()).pathname }))
    const began = performance.now()
    await wait(2 * minuteMs)
    const visible = asked.filter(({ path }) => !path.endsWith("/stream"))
    // The worst minute, wherever it begins.
    const most = Math.max(
      0,
      ...visible.map(({ at }) => visible.filter((one) => one.at >= at && one.at < at + minuteMs).length)
    )
    await page.evaluate(() => {
      Object.defineProperty(document, "hidden", { get: () => true, configurable: true })
      Object.defineProperty(document, "visibilityState", { get: () => "hidden", configurable: true })
      document.dispatchEvent(new Event("visibilitychange"))
    })
    await wait(1000)
    const from = asked.length
    await wait(minuteMs)
    const hidden = asked.slice(from).filter(({ path }) => !path.endsWith("/stream")).length
    const perMinute = (visible.length * minuteMs) / (asked.at(-1)!.at - began)
    return [
      {
        what: "requests in the busiest minute of a campaign at work",
        measured: `${most}`,
        against: `${perMinute.toFixed(0)} a minute on the average`,
        judged: { value: most, bar: { atMost: 20 } }
      },
      {
        what: "… while hidden, beside the stream",
        measured: `${hidden}`,
        judged: { value: hidden, bar: { atMost: 0 } }
      }
    ]
  })

const held = async (client: CDPSession): Promise<number> => {
  for (let n = 0; n < 3; n++) await client.send("HeapProfiler.collectGarbage")
  return ((await client.send("Runtime.getHeapUsage")) as { readonly usedSize: number }).usedSize
}

/** 19.8 */
const heap = async (browser: Browser, { ask, origin }: Process, campaign: string): Promise<ReadonlyArray<Figure>> => {
  const grown: Array<number> = []
  const topics = ["campaigns", "calls", "account", "contacts", `campaign:${campaign}`]
  for (let run = 0; run < runs; run++)
    await open(browser, `${origin}/dashboard/#/campaigns/${campaign}`, async ({ client, page }) => {
      await isLive(page)
      // Code is compiled, and what every open page keeps is there.
      await ask({ ask: "notes", count: 500, everyMs: 1, topics })
      await wait(1000)
      const before = await held(client)
      await ask({ ask: "notes", count: notes, everyMs: 1, topics })
      await wait(1000)
      grown.push((await held(client)) - before)
      progress(`${((grown.at(-1) ?? 0) / 1e6).toFixed(2)} MB after ${notes} notes`)
    })
  const value = median(grown) / 1e6
  return [
    {
      what: `heap of a page after ${notes.toLocaleString("en")} notes`,
      measured: `${value.toFixed(2)} MB more`,
      against: `at most ${(Math.max(...grown) / 1e6).toFixed(2)} MB in ${runs} runs`,
      judged: { value, unit: " MB", bar: { atMost: 5 } }
    }
  ]
}

const calibrated = (loops: ReadonlyArray<number>): string => `the fixed loop ${median(loops).toFixed(0)} ms`

/** 19.6 */
const pixels = async (
  browser: Browser,
  name: string,
  first: Process,
  second: Process
): Promise<ReadonlyArray<Figure>> => {
  const made = await second.send("POST", "/voice-campaigns", { name: "Watched", ...hours })
  const loops: Array<number> = []
  const times: Record<"same" | "other", Array<Array<number>>> = { same: [], other: [] }
  await open(browser, `${second.origin}/dashboard/#/campaigns`, async ({ page }) => {
    await isLive(page)
    const once = async ({ send }: Process, text: string): Promise<number> => {
      const drawn = page.evaluate(
        (text) =>
          new Promise<number>((resolve) => {
            const look = () => {
              if (document.querySelector("main")?.textContent.includes(text)) resolve(Date.now())
              else requestAnimationFrame(look)
            }
            look()
          }),
        text
      )
      const began = Date.now()
      await send("PATCH", `/voice-campaigns/${made.id}`, { name: text })
      const ms = (await drawn) - began
      // Changes are few: where they do not end, pages read them ever more seldom.
      await wait(5000)
      return ms
    }
    await once(second, `${name} to begin with`)
    for (let run = 0; run < runs; run++) {
      const of: Record<"same" | "other", Array<number>> = { same: [], other: [] }
      for (let n = 0; n < 6; n++) {
        of.same.push(await once(second, `${name} same ${run}.${n}.`))
        of.other.push(await once(first, `${name} other ${run}.${n}.`))
      }
      times.same.push(of.same)
      times.other.push(of.other)
      loops.push(await page.evaluate(fixedLoop))
      progress(`${name}, run ${run}: ${of.same.join(", ")}; of the other process ${of.other.join(", ")} ms`)
    }
  })
  return (
    [
      ["same", "of the same process", 500],
      ["other", "of another process", 2000]
    ] as const
  ).map(([key, what, atMost]) => {
    const all = times[key].flat()
    const value = percentile(all, 0.95)
    const p50 = median(times[key].map(median))
    return {
      what: `${name}: a change ${what} is on the screen`,
      measured: `p95 ${value.toFixed(0)} ms, p50 ${p50.toFixed(0)} ms`,
      against: calibrated(loops),
      judged: { value, unit: " ms", bar: { atMost } }
    }
  })
}

/** 19.5 */
const scrolling = async (browser: Browser, { origin, send }: Process): Promise<ReadonlyArray<Figure>> => {
  const { id } = await send("POST", "/voice-campaigns", { name: "Long", ...hours })
  const perRequest = 1000
  for (let at = 0; at < longList; at += perRequest) {
    const contacts = Array.from({ length: perRequest }, (_, n) => ({
      phone: `+91${6_000_000_000 + at + n}`,
      name: `Person ${at + n}`
    }))
    await send("POST", `/voice-campaigns/${id}/contacts`, { contacts })
  }
  progress(`${longList} people are on the list`)
  const found: Record<"frame" | "jump" | "longest" | "elements" | "loop" | "bare", Array<number>> = {
    frame: [],
    jump: [],
    longest: [],
    elements: [],
    loop: [],
    bare: []
  }
  for (let run = 0; run < runs; run++)
    await open(browser, `${origin}/dashboard/#/campaigns/${id}`, async ({ page }) => {
      await page.getByText("Person 0", { exact: true }).filter({ visible: true }).first().waitFor()
      await isLive(page)
      await wait(2000)
      const measured = await page.evaluate(async () => {
        const seen = (window as never as { seen: { longest: number } }).seen
        const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
        const p95 = (all: Array<number>) => all.sort((a, b) => a - b)[Math.floor(all.length * 0.95)]!
        /** Frames of three seconds, in which something is done before each. */
        const frames = async (before: () => void) => {
          const all: Array<number> = []
          const from = performance.now()
          for (let last = await frame(); last - from < 3000; ) {
            before()
            const next = await frame()
            all.push(next - last)
            last = next
          }
          return p95(all)
        }
        let elements = 0
        const count = () => {
          elements = Math.max(elements, document.getElementsByTagName("*").length)
        }
        // What frames take of a page that does nothing is what the machine leaves.
        const bare = await frames(() => {})
        seen.longest = 0
        const down = await frames(() => {
          window.scrollBy(0, 120)
          count()
        })
        const longest = seen.longest
        const jumps: Array<number> = []
        for (const part of [0.5, 0.9, 0.2, 0.7]) {
          const from = performance.now()
          window.scrollTo(0, document.documentElement.scrollHeight * part)
          // The rows in sight are there when none of them stands for one that is being read.
          for (;;) {
            await frame()
            const rows = [...document.querySelectorAll('[role="row"]')].filter((row) => {
              const { bottom, top } = row.getBoundingClientRect()
              return bottom > 0 && top < innerHeight
            })
            if (rows.length > 10 && !rows.some((row) => row.querySelector(".skeleton"))) break
          }
          jumps.push(performance.now() - from)
          count()
        }
        return { bare, frame: down, jump: Math.max(...jumps), longest: Math.max(longest, seen.longest), elements }
      })
      const all = { ...measured, loop: await page.evaluate(fixedLoop) }
      for (const key of Object.keys(found) as Array<keyof typeof found>) found[key].push(all[key])
      progress(`scrolling, run ${run}: ${JSON.stringify(all)}`)
    })
  const rows = longList.toLocaleString("en")
  const time = (key: "frame" | "jump" | "longest", what: string, atMost: number): Figure => {
    const value = median(found[key])
    return {
      what,
      measured: `${value.toFixed(0)} ms`,
      against: `a page that does nothing ${median(found.bare).toFixed(0)} ms, ${calibrated(found.loop)}`,
      judged: { value, unit: " ms", bar: { atMost } }
    }
  }
  const elements = Math.max(...found.elements)
  return [
    time("frame", `p95 of frames, ${rows} rows scroll`, 25),
    time("jump", "… a jump, until its rows are there, the slowest of four", 150),
    time("longest", "… the longest task", 50),
    { what: "… elements in the document", measured: `${elements}`, judged: { value: elements, bar: { atMost: 1500 } } }
  ]
}

const parts = ["shift", "requests", "heap", "pixels", "scrolling"] as const

const figures = async (): Promise<ReadonlyArray<Figure>> => {
  if (chromiumPath === undefined)
    return [{ what: "Chromium", measured: "is not here: apt-get install chromium-headless-shell" }]
  const named = process.argv.slice(2)
  const does = (part: (typeof parts)[number]) => named.length === 0 || named.includes(part)
  const { browser, close } = await startChromium()
  const home = folder(1)
  const children: Array<ChildProcess> = []
  const pair = async (kind: string, where: string) => {
    const first = await serve(kind, where, [])
    const second = await serve(kind, where, first.accounts)
    children.push(first.child, second.child)
    return [first, second] as const
  }
  const all: Array<Figure> = []
  try {
    const [first, second] = await pair("sqlite", await database(home, "live.db"))
    if (does("scrolling")) all.push(...(await scrolling(browser, second)))
    if (does("pixels")) all.push(...(await pixels(browser, "SQLite", first, second)))
    if (does("pixels")) {
      const server = await postgresServer()
      if ("missing" in server) progress(`Postgres is not measured: ${server.missing}`)
      else {
        try {
          const both = await pair("postgres", await server.database("live"))
          all.push(...(await pixels(browser, "Postgres", ...both)))
          for (const { child } of both) child.kill()
        } finally {
          await server.stop()
        }
      }
    }
    if (does("heap") || does("requests") || does("shift")) {
      const campaign = await calling(second)
      await wait(2000)
      if (does("shift")) all.push(...(await shifts(browser, second, campaign)))
      if (does("requests")) all.push(...(await requests(browser, second, campaign)))
      if (does("heap")) all.push(...(await heap(browser, second, campaign)))
    }
    return all
  } finally {
    await close()
    for (const child of children) child.kill()
  }
}

report(await figures())
