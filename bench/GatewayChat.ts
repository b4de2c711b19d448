/**
 * A chat through the gateway, whole and in fifty chunks, with key, limits, reserve, settle and a row of the usage log, in front
 * of an upstream on the loopback that answers at once: against a route by hand that passes it through and does none of it, and
 * against another gateway for Node. The word `short` shows that it works: its figures mean little.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { sqlite } from "@trunkline/storage-sqlite"
import { database, folder, readConnection } from "./Database.ts"
import { type Figure, progress, report } from "./Figures.ts"
import { type Answered, abandon, load, percentile } from "./GatewayLoad.ts"
import { chatTo, keyedChatsTo } from "./GatewayRequests.ts"
import {
  another,
  cpuOf,
  memoryOf,
  newMonth,
  otherGateway,
  ours,
  prepare,
  type Target,
  upstream
} from "./GatewayTargets.ts"
import type { Memory } from "./Memory.ts"
import { interleaved, median, ratio, type Times } from "./Rounds.ts"

const isShort = process.argv.includes("short")
const plan = isShort ? { rounds: 1, warmUp: 1 } : { rounds: 5, warmUp: 1 }
const milliseconds = isShort ? 1000 : 3000
const connections = 16
/** Of each round that does not count: a number and no time, since a cold server answers few in a second. */
const warmUp = { connections, until: { answers: 3000 } }
/** Requests of which the memory of the second half is compared with that of the first. */
const requests = isShort ? 4_000 : 100_000
/** Fewer than a plan has in a month. */
const batch = 10_000
const together = isShort ? 100 : 1000

type Targets = Readonly<Record<string, Target>>

interface Chats {
  readonly isStreamed: boolean
  /** Whether each has an Idempotency-Key. */
  readonly isKeyed?: boolean
  readonly connections: number
  readonly until: Parameters<typeof load>[0]["until"]
}

const chats = (target: Target, { connections, isKeyed = false, isStreamed, until }: Chats): Promise<Answered> =>
  load({
    ...{ port: target.port, connections, until },
    request: isKeyed ? keyedChatsTo(target) : chatTo(target, { isStreamed }),
    mark: isStreamed ? "[DONE]" : '"stop"'
  })

/** Asks each of them in turns. Answers a second of each, and microseconds of the server for one where it is ours. */
const inTurns = async (path: string, targets: Targets, what: Omit<Chats, "until">) => {
  const cpu: Record<string, Array<number>> = {}
  const answered: Record<string, Array<Answered>> = {}
  const asking = (name: string, target: Target) => async (round: number) => {
    newMonth(path)
    const before = target.server === null ? 0 : await cpuOf(target.server)
    const found = await chats(target, round < 0 ? { ...what, ...warmUp } : { ...what, until: { milliseconds } })
    if (round >= 0) answered[name] = [...(answered[name] ?? []), found]
    if (round >= 0 && target.server !== null) {
      cpu[name] = [...(cpu[name] ?? []), ((await cpuOf(target.server)) - before) / found.count]
    }
    progress(
      `${name}, ${what.isStreamed ? "streamed, " : ""}${what.connections} at a time: ${found.perSecond.toFixed(0)}/s, first byte p50 ${percentile(found, 50).toFixed(2)} ms, p99 ${percentile(found, 99).toFixed(2)} ms`
    )
    return found.perSecond
  }
  const asked = Object.entries(targets).map(([name, target]) => [name, asking(name, target)] as const)
  const rates: Times<string> = await interleaved(plan, Object.fromEntries(asked))
  return { rates, cpu: cpu as Times<string>, answered }
}

const perSecond = (rates: ReadonlyArray<number>): string => `${median(rates).toFixed(0)}/s`

const wholeChats = async (path: string, targets: Targets): Promise<ReadonlyArray<Figure>> => {
  const { cpu, rates } = await inTurns(path, targets, { isStreamed: false, connections })
  const ms = (name: string) => `${(median(cpu[name]!) / 1000).toFixed(2)} ms`
  const cpuFigure: Figure = {
    what: `CPU of the server for a chat, ${connections} at a time`,
    measured: ms("product"),
    against: `passed through ${ms("by hand")}`,
    judged: { value: ratio(cpu, "product", "by hand"), bar: { atMost: 2.2 } }
  }
  if (targets.other === undefined) return [cpuFigure]
  return [
    cpuFigure,
    {
      what: `chats a second, ${connections} at a time`,
      measured: perSecond(rates.product!),
      against: `${otherGateway.name} ${perSecond(rates.other!)}, passed through ${perSecond(rates["by hand"]!)}`,
      judged: { value: ratio(rates, "product", "other"), bar: { atLeast: 3.5 } }
    }
  ]
}

/** What an Idempotency-Key adds to a chat: the row of the key is written twice, the second time with the answer. */
const keyedChats = async (path: string, product: Target): Promise<Figure> => {
  const cpu: Record<"keyed" | "plain", Array<number>> = { keyed: [], plain: [] }
  const asking = (isKeyed: boolean) => async (round: number) => {
    newMonth(path)
    const before = await cpuOf(product.server!)
    const until = round < 0 ? warmUp.until : { milliseconds }
    const { count } = await chats(product, { isStreamed: false, isKeyed, connections, until })
    const used = ((await cpuOf(product.server!)) - before) / count
    if (round >= 0) cpu[isKeyed ? "keyed" : "plain"].push(used)
    return used
  }
  await interleaved(plan, { keyed: asking(true), plain: asking(false) })
  const ms = (name: "keyed" | "plain") => `${(median(cpu[name]) / 1000).toFixed(2)} ms`
  return {
    what: `CPU of the server for a chat under an Idempotency-Key, ${connections} at a time`,
    measured: ms("keyed"),
    against: `without one ${ms("plain")}`,
    judged: { value: ratio(cpu, "keyed", "plain"), bar: { atMost: 1.6 } }
  }
}

const streams = async (path: string, targets: Targets): Promise<Figure> => {
  const { rates } = await inTurns(path, targets, { isStreamed: true, connections })
  return {
    what: `streams of 50 chunks a second, ${connections} at a time`,
    measured: perSecond(rates.product!),
    against: `passed through ${perSecond(rates["by hand"]!)}`,
    judged: { value: ratio(rates, "product", "by hand"), bar: { atLeast: 0.6 } }
  }
}

/** What the gateway adds to the time until the upstream's own first byte, which a client that asks it directly measures. */
const firstBytes = async (path: string, targets: Targets): Promise<ReadonlyArray<Figure>> => {
  const { answered } = await inTurns(path, targets, { isStreamed: true, connections: 1 })
  const figure = (of: number, atMost: number): Figure => {
    const waits = (name: string) => answered[name]!.map((found) => percentile(found, of))
    const added = median(waits("product").map((wait, round) => wait - waits("upstream")[round]!))
    const ms = (name: string) => `${median(waits(name)).toFixed(2)} ms`
    return {
      what: `first byte of a stream, added, p${of}`,
      measured: ms("product"),
      against: `upstream ${ms("upstream")}, passed through ${ms("by hand")}`,
      judged: { value: added, unit: " ms", bar: { atMost } }
    }
  }
  return [figure(50, 1), figure(99, 5)]
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

const growth = (what: string, before: Memory, after: Memory): Figure => ({
  what,
  measured: `held ${megabytes(after.held - before.held)}, resident ${megabytes(after.resident - before.resident)}`,
  against: `held ${megabytes(before.held)} before`,
  judged: { value: (after.held - before.held) / 1e6, unit: " MB", bar: { atMost: 5 } }
})

const memoryOfRequests = async (path: string, target: Target): Promise<Figure> => {
  progress(`${requests} chats, whole and streamed in turns`)
  const half = async (): Promise<Memory> => {
    for (let left = requests / 2; left > 0; left -= batch) {
      newMonth(path)
      const until = { answers: Math.min(batch, left) / 2 }
      await chats(target, { isStreamed: false, connections, until })
      await chats(target, { isStreamed: true, connections, until })
    }
    return memoryOf(target.server!)
  }
  const before = await half()
  return growth(`memory of the last half of ${requests} chats`, before, await half())
}

/** Abandoned streams have each been billed for what had come when their row of the usage log stands. */
const memoryOfAbandoned = async (path: string, target: Target): Promise<Figure> => {
  const rows = readConnection(path).prepare("select count(*) from usage_log where http_status = 499").pluck()
  const round = async (): Promise<Memory> => {
    const all = Number(rows.get()) + together
    progress(`${together} streams at once that are abandoned`)
    await abandon({ port: target.port, request: chatTo(target, { isStreamed: true }), connections: together })
    for (let tries = 0; Number(rows.get()) < all; tries++) {
      if (tries > 300) throw new Error(`${all - Number(rows.get())} of ${together} abandoned streams have no end`)
      await sleep(100)
    }
    return memoryOf(target.server!)
  }
  // The first round makes room: code that is compiled, a heap that has grown.
  await round()
  const before = await round()
  return growth(`memory after ${together} abandoned streams`, before, await round())
}

const main = async (): Promise<void> => {
  const home = folder(1)
  const path = await database(home, "gateway-chat.db")
  const key = await prepare(sqlite(path))
  const soon = await upstream()
  const product = await ours("product", soon.port, path, key)
  const byHand = await ours("by hand", soon.port, path, key)
  const other = await another(home, soon.port)
  if (typeof other === "string") progress(`without the other gateway: ${other}`)
  const own = { "by hand": byHand, product }
  const direct: Target = { port: soon.port, headers: {}, server: null, stop: soon.stop }

  const figures: Array<Figure> = []
  figures.push(...(await wholeChats(path, typeof other === "string" ? own : { ...own, other })))
  if (typeof other !== "string") other.stop()
  figures.push(await keyedChats(path, product))
  figures.push(...(await firstBytes(path, { ...own, upstream: direct })))
  figures.push(await streams(path, own))
  byHand.stop()
  figures.push(await memoryOfRequests(path, product))
  product.stop()
  soon.stop()

  const endless = await upstream(-1)
  const abandoned = await ours("product", endless.port, path, key)
  figures.push(await memoryOfAbandoned(path, abandoned))
  abandoned.stop()
  endless.stop()
  report(figures)
}

await main()
