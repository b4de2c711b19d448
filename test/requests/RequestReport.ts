/** What a run has found, sorted by cause, with a command that repeats each. Pure. */

import { longTurnMs } from "./Alone.ts"
import { byKind, isPlain, waitsOf } from "./Measurements.ts"
import type { RequestRunResult } from "./RequestRun.ts"
import type { Found } from "./SendingRun.ts"

export interface Bounds {
  /** Of the second tenant's waits, in milliseconds. */
  readonly p99: number
  /** It may be so many times what it was alone, where that is more: on a machine that does other work. */
  readonly times: number
  /** Of its uploads, which wait for a chat platform too. */
  readonly upload: number
  /** Of one turn of the event loop, in milliseconds of a processor. */
  readonly turn: number
  /** Beyond what the process had at its start, in bytes. */
  readonly peak: number
  /** Likewise, after the run and a garbage collection. */
  readonly kept: number
  /** So many requests need not be sent, where the time is over. */
  readonly unsent: number
  /** Until the process has stopped, in milliseconds. */
  readonly stop: number
}

const MB = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`

/** Lines of the log that say nothing new: an upstream of the run fails on purpose. */
const isExpected = (line: string): boolean =>
  line.includes('"failing"') || line.includes("failing/") || /upstream failing/.test(line)

const logged = ({ log }: RequestRunResult): ReadonlyArray<Found> =>
  log.flatMap((line): ReadonlyArray<Found> => {
    try {
      const { level, message } = JSON.parse(line)
      if (level !== "error" || isExpected(line)) return []
      return [
        {
          cause: "an error in the log",
          name: String(message)
            .replace(/[0-9a-f-]{36}|\d+/g, "…")
            .slice(0, 160),
          detail: line.slice(0, 1500),
          number: 0
        }
      ]
    } catch {
      return [{ cause: "a line of the log that is no JSON", name: "", detail: line.slice(0, 800), number: 0 }]
    }
  })

const measured = (result: RequestRunResult, bounds: Bounds): ReadonlyArray<Found> => {
  const { alone, busy, calm, memory, resident, stop, turns, unsent } = result
  const plain = busy.filter(isPlain)
  const waits = waitsOf(plain)
  const maxP99 = Math.max(bounds.p99, bounds.times * waitsOf(calm.filter(isPlain)).p99)
  const uploads = waitsOf(busy.filter((sample) => !isPlain(sample)))
  const longest = Math.max(0, ...turns.map(({ cpuMs }) => cpuMs))
  const refused = busy.filter(({ status }) => status < 200 || status > 299)
  const grown = memory.start === null || memory.end === null ? 0 : used(memory.end) - used(memory.start)
  const say = (isWrong: boolean, cause: string, detail: string): ReadonlyArray<Found> =>
    isWrong ? [{ cause, detail, name: "", number: 0 }] : []
  return [
    ...alone
      .filter(({ cpuMs }) => cpuMs > bounds.turn)
      .map(({ cpuMs, sent: { name, number } }) => ({
        cause: "stops the event loop, alone",
        name,
        number,
        detail: `${cpuMs} ms of a processor in one turn`
      })),
    ...say(unsent > bounds.unsent, "not all requests were sent in time", `${unsent} are left`),
    ...say(waits.p99 > maxP99, "the second tenant waits", `p99 ${waits.p99} ms, at most ${waits.max} ms`),
    ...say(uploads.max > bounds.upload, "the second tenant's uploads wait", `at most ${uploads.max} ms`),
    ...say(longest > bounds.turn, "a turn of the event loop is long", `${longest} ms of a processor`),
    ...say(
      refused.length > 0,
      "the second tenant is refused",
      counted(refused.map(({ kind, status }) => `${kind} ${status}`))
    ),
    ...say(
      resident.peak - resident.start > bounds.peak,
      "memory",
      `${MB(resident.start)} at the start, ${MB(resident.peak)} at most`
    ),
    ...say(grown > bounds.kept, "memory is kept", `${MB(grown)} more than at the start, after a garbage collection`),
    ...say(
      stop.code !== 0 || stop.ms > bounds.stop,
      "the process does not stop in order",
      `code ${stop.code} after ${stop.ms} ms`
    )
  ]
}

const used = ({ external, heapUsed }: { readonly heapUsed: number; readonly external: number }): number =>
  heapUsed + external

export const counted = (names: ReadonlyArray<string>): string =>
  [...Map.groupBy(names, (name) => name)]
    .sort((a, b) => b[1].length - a[1].length)
    .map(([name, { length }]) => `${name}: ${length}`)
    .join(", ")

/** Everything that is wrong with a run. */
export const findingsOf = (result: RequestRunResult, bounds: Bounds): ReadonlyArray<Found> => [
  ...result.found,
  ...logged(result),
  ...measured(result, bounds)
]

const figures = (result: RequestRunResult): ReadonlyArray<string> => {
  const { busy, calm, memory, resident, sent, stop, turns } = result
  const waits = (samples: typeof busy) =>
    byKind(samples)
      .map(([kind, { count, max, p50, p99 }]) => `${kind} ${count}: p50 ${p50}, p99 ${p99}, max ${max} ms`)
      .join("; ")
  const statuses = [...Map.groupBy(sent, ({ kind }) => kind)].map(
    ([kind, own]) => `${kind} ${own.length} (${counted(own.map(({ status }) => `${Math.floor(status / 100)}xx`))})`
  )
  const long = turns.filter(({ cpuMs }) => cpuMs > longTurnMs)
  return [
    `sent: ${statuses.join("; ")}`,
    `second tenant alone: ${waits(calm)}`,
    `second tenant beside it: ${waits(busy)}`,
    `turns above ${longTurnMs} ms of a processor: ${long.length}, the longest ${Math.max(0, ...turns.map(({ cpuMs }) => cpuMs))} ms`,
    `resident: ${MB(resident.start)} at the start, ${MB(resident.peak)} at most, ${MB(resident.end)} at the end`,
    ...(memory.start === null || memory.end === null
      ? []
      : [`used after a collection: ${MB(used(memory.start))} at the start, ${MB(used(memory.end))} at the end`]),
    `stopped with ${stop.code} after ${stop.ms} ms`
  ]
}

const maxGroups = 25

/** A request that was nearly valid is named by its route and what was wrong with it. */
const kindOf = (name: string): string => name.replace(/: .*$/, "")

export const reportOf = (result: RequestRunResult, bounds: Bounds): ReadonlyArray<string> => {
  const lines = [...figures(result)]
  for (const [cause, all] of Map.groupBy(findingsOf(result, bounds), ({ cause }) => cause)) {
    lines.push(`WRONG ${cause}: ${all.length}`)
    const groups = [...Map.groupBy(all, ({ name }) => kindOf(name))].sort((a, b) => b[1].length - a[1].length)
    for (const [kind, own] of groups.slice(0, maxGroups)) {
      const [{ detail, name }] = own as [Found]
      const numbers = [...new Set(own.map(({ number }) => number))].filter((number) => number > 0).slice(0, 4)
      lines.push(`  ${kind} (${own.length})${numbers.length === 0 ? "" : ` --only ${numbers.join(", ")}`}`)
      if (name !== kind) lines.push(`    ${name}`)
      lines.push(`    ${detail.replaceAll("\n", "\n    ")}`)
    }
    if (groups.length > maxGroups) lines.push(`  and ${groups.length - maxGroups} more kinds`)
  }
  const {
    folder,
    options: { seed, storage }
  } = result
  lines.push(`repeat one: npm run test:requests -- --seed ${seed} --storage ${storage} --only <number>`)
  return [...lines, folder === null ? "logs: removed; --keep keeps them" : `logs: ${folder}`]
}
