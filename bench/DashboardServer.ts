/**
 * What the dashboard costs a server: memory of people who only look, notes to two hundred of them, a request that comes with a
 * session's cookie against one with a key, and the first start until the link of the first owner is printed.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { rmSync } from "node:fs"
import { Agent, get, type IncomingMessage } from "node:http"
import { join } from "node:path"
import { createTrunkline } from "@trunkline/core"
import { dashboard } from "@trunkline/dashboard"
import { sqlite } from "@trunkline/storage-sqlite"
import { freePort } from "../test/FreePort.ts"
import { messageOf, start } from "./Children.ts"
import type { Asked, Served } from "./DashboardProcess.ts"
import { database, encryptionKey, folder } from "./Database.ts"
import { type Figure, progress, report } from "./Figures.ts"
import { fixedLoop } from "./FixedLoop.ts"
import type { Memory } from "./Memory.ts"
import { interleaved, median } from "./Rounds.ts"

const named = process.argv.slice(2).filter((word) => word !== "short")
/** Shows that it works: what it prints then is no figure. */
const isShort = process.argv.includes("short")
const runs = isShort ? 1 : 5
const ofPerson = 10
const ofAccount = 200
const changesMs = isShort ? 2000 : 20_000
const perRound = isShort ? 20 : 500

/** Within this time each stream has its sign of life. */
const signMs = isShort ? 500 : 15_000

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

interface Stream {
  readonly answer: IncomingMessage
  notes: number
}

const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })

const opened = async (origin: string, account: number, person: number): Promise<Stream> => {
  const request = get(`${origin}/api/v1/stream`, {
    agent,
    headers: { "x-account": String(account), "x-person": `person-${person}` }
  })
  const [answer] = (await once(request, "response")) as [IncomingMessage]
  if (answer.statusCode !== 200) throw new Error(`a stream is ${answer.statusCode}`)
  const stream: Stream = { answer, notes: 0 }
  answer.on("error", () => {})
  answer.on("data", (bytes: Buffer) => {
    stream.notes += bytes.toString().split("event: changed").length - 1
  })
  return stream
}

const streamsOf = async (origin: string, account: number): Promise<ReadonlyArray<Stream>> => {
  const all: Array<Stream> = []
  for (let n = 0; n < ofAccount; n++) all.push(await opened(origin, account, Math.floor(n / ofPerson)))
  return all
}

/** 19.9 */
const streams = async (home: string): Promise<ReadonlyArray<Figure>> => {
  const child = start("DashboardProcess.ts", ["sqlite", await database(home, "streams.db")])
  const { accounts, origin } = await messageOf<Served>(child)
  const ask = <A>(asked: Asked): Promise<A> => {
    const answer = messageOf<A>(child)
    child.send(asked)
    return answer
  }
  try {
    // What the first two hundred need is there for all that follow.
    const first = await streamsOf(origin, 0)
    await wait(signMs)
    const before = await ask<Memory>({ ask: "memory" })
    const more: Array<Stream> = []
    for (let account = 1; account < accounts.length; account++) more.push(...(await streamsOf(origin, account)))
    await wait(signMs)
    const after = await ask<Memory>({ ask: "memory" })
    for (const { answer } of more) answer.destroy()
    const each = (of: keyof Memory) => (after[of] - before[of]) / more.length / 1000
    const value = Math.max(each("held"), each("resident"))
    progress(`held ${each("held").toFixed(1)} kB, resident ${each("resident").toFixed(1)} kB`)

    interface Stop {
      readonly stopMs: number
      readonly loopMs: number
    }
    const idle: Array<Stop> = []
    const busy: Array<Stop> = []
    const perSecond: Array<number> = []
    const bytes = { "content-type": "application/json", "x-account": "0" }
    const made = (await (
      await fetch(`${origin}/api/v1/contacts`, {
        method: "POST",
        headers: bytes,
        body: JSON.stringify({ phone: "+493012345678", name: "Ann" })
      })
    ).json()) as { readonly id: string }
    for (let run = 0; run < runs; run++) {
      idle.push(await ask<Stop>({ ask: "stop", ms: changesMs / 4 }))
      const from = first.map(({ notes }) => notes)
      let isOver = false
      const measured = ask<Stop>({ ask: "stop", ms: changesMs })
      const began = performance.now()
      const changes = (async () => {
        for (let n = 0; !isOver; n++) {
          const body = JSON.stringify({ name: `Ann ${run} ${n}` })
          await (await fetch(`${origin}/api/v1/contacts/${made.id}`, { method: "PATCH", headers: bytes, body })).text()
          await wait(50)
        }
      })()
      await wait(changesMs)
      perSecond.push(
        (Math.min(...first.map(({ notes }, nth) => notes - from[nth]!)) * 1000) / (performance.now() - began)
      )
      busy.push(await measured)
      isOver = true
      await changes
      progress(`run ${run}: ${JSON.stringify({ perSecond: perSecond.at(-1), idle: idle.at(-1), busy: busy.at(-1) })}`)
    }
    const stop = median(busy.map(({ stopMs }) => stopMs))
    const notes = median(perSecond)
    return [
      {
        what: "memory of a stream of somebody who only looks",
        measured: `held ${each("held").toFixed(1)} kB, resident ${each("resident").toFixed(1)} kB`,
        judged: { value, unit: " kB", bar: { atMost: 40 } }
      },
      {
        what: `notes a second to each of ${ofAccount} streams, the slowest`,
        measured: notes.toFixed(2),
        // The pace of the product is four, which timers that are late by a little make less.
        judged: { value: notes, bar: { atLeast: 3.8 } }
      },
      {
        what: "… longest stop of the event loop meanwhile",
        measured: `${stop.toFixed(0)} ms, at most ${Math.max(...busy.map(({ stopMs }) => stopMs)).toFixed(0)} ms`,
        against: `without changes ${median(idle.map(({ stopMs }) => stopMs)).toFixed(0)} ms, the fixed loop ${median(busy.map(({ loopMs }) => loopMs)).toFixed(0)} ms`,
        judged: { value: stop, unit: " ms", bar: { atMost: 50 } }
      }
    ]
  } finally {
    child.kill()
  }
}

const sessions = async (home: string): Promise<Figure> => {
  const core = await createTrunkline({
    storage: sqlite(await database(home, "sessions.db")),
    encryptionKey,
    limits: { perIpPerMinute: null },
    dashboard: dashboard(),
    auth: { signIn: { enabled: true } }
  })
  try {
    const { id } = await core.admin.createAccount({ name: "Example", voiceCampaigns: true })
    const { token } = await core.admin.createOwnerLink(id)
    const { text } = await core.admin.createKey(id, { scopes: ["*"] })
    const accepted = await core.fetch(
      new Request("http://localhost/api/v1/session/link/accept", {
        method: "POST",
        headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
        body: JSON.stringify({ token, password: "a long and private sentence", email: "ann@example.com", name: "Ann" })
      })
    )
    const cookie = accepted.headers.get("set-cookie")!.split(";")[0]!
    const read = (headers: Record<string, string>) => async () => {
      const began = performance.now()
      for (let n = 0; n < perRound; n++) {
        const answer = await core.fetch(new Request("http://localhost/api/v1/voice-campaigns", { headers }))
        if (answer.status !== 200) throw new Error(`a list is ${answer.status}`)
        await answer.text()
      }
      return ((performance.now() - began) * 1000) / perRound
    }
    const times = await interleaved(
      { rounds: 9, warmUp: 3 },
      {
        session: read({ cookie, "sec-fetch-site": "same-origin" }),
        key: read({ authorization: `Bearer ${text}` }),
        loop: () => fixedLoop()
      }
    )
    const more = median(times.session.map((us, round) => us - times.key[round]!))
    return {
      what: "a request with a session's cookie, more than with a key",
      measured: `${more.toFixed(0)} µs`,
      against: `${median(times.session).toFixed(0)} µs and ${median(times.key).toFixed(0)} µs for an empty list of campaigns, the fixed loop ${median(times.loop).toFixed(0)} ms`
    }
  } finally {
    await core.stop()
  }
}

const root = join(import.meta.dirname, "..")

/** `npm start` until the link is there. */
const started = async (path: string): Promise<number> => {
  const { NODE_OPTIONS: _, ...env } = process.env
  const began = performance.now()
  const child = spawn("npm", ["start"], {
    cwd: root,
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...env, PORT: String(await freePort()), DATABASE_URL: `sqlite:${path}`, TRUNKLINE_SECRET: encryptionKey }
  })
  let printed = ""
  try {
    for await (const bytes of child.stdout!) {
      printed += bytes
      if (/^dashboard: \S+#link=/m.test(printed)) return performance.now() - began
    }
    throw new Error(`the server has printed no link: ${printed}`)
  } finally {
    process.kill(-child.pid!)
    if (child.exitCode === null) await once(child, "exit")
  }
}

const starts = async (home: string): Promise<ReadonlyArray<Figure>> => {
  const times: Record<"clone" | "again", Array<number>> = { clone: [], again: [] }
  const loops: Array<number> = []
  for (let run = 0; run < runs; run++) {
    rmSync(join(root, "packages/dashboard/dist/pages"), { recursive: true, force: true })
    for (const which of ["clone", "again"] as const)
      times[which].push(await started(join(home, `start-${run}-${which}.db`)))
    loops.push(fixedLoop())
    progress(`first start, run ${run}: ${times.clone.at(-1)} ms, ${times.again.at(-1)} ms`)
  }
  const figure = (what: string, all: ReadonlyArray<number>): Figure => ({
    what,
    measured: `${(median(all) / 1000).toFixed(1)} s`,
    against: `the fixed loop ${median(loops).toFixed(0)} ms`
  })
  return [
    figure("first start of a fresh clone until the link is printed, the pages built", times.clone),
    figure("… where the pages are built already", times.again)
  ]
}

const does = (part: string) => named.length === 0 || named.includes(part)
const home = folder(1)
report([
  ...(does("streams") ? await streams(home) : []),
  ...(does("sessions") ? [await sessions(home)] : []),
  ...(does("starts") ? await starts(home) : [])
])
