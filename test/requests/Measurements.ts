/** What was measured of the server: waits of the second tenant, turns of the event loop, memory. */
import { existsSync, readFileSync } from "node:fs"
import { kinds, type Sample } from "./WatcherMessages.ts"

export interface Turn {
  readonly what: "turn"
  /** When it ended. */
  readonly at: number
  readonly wallMs: number
  /** What it used of a processor: it does not depend on what else the machine does. */
  readonly cpuMs: number
}

export interface MemoryUse {
  readonly what: "memory"
  readonly at: number
  readonly heapUsed: number
  readonly external: number
  readonly arrayBuffers: number
  readonly rss: number
}

export const probeLines = (folder: string): ReadonlyArray<Turn | MemoryUse> => {
  const path = `${folder}/probe.jsonl`
  if (!existsSync(path)) return []
  // The last line of a process that was killed may be cut off.
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line) => {
      try {
        return line === "" ? [] : [JSON.parse(line)]
      } catch {
        return []
      }
    })
}

export interface Waits {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

export const waitsOf = (samples: ReadonlyArray<Sample>): Waits => {
  const sorted = samples.map(({ ms }) => ms).sort((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) }
}

/** An upload also waits for the chat platform, and is judged by itself. */
export const isPlain = ({ kind }: Sample): boolean => kind !== "upload"

export const byKind = (samples: ReadonlyArray<Sample>): ReadonlyArray<readonly [kind: string, waits: Waits]> =>
  kinds.map(([kind]) => [kind, waitsOf(samples.filter((sample) => sample.kind === kind))] as const)

/** Bytes that a process has in memory; 0 where it has ended. */
export const residentOf = (pid: number | undefined): number => {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

export const turnsIn = (folder: string, from: number, to: number): ReadonlyArray<Turn> =>
  probeLines(folder).filter((line): line is Turn => line.what === "turn" && line.at >= from && line.at <= to)
