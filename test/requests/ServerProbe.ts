/**
 * Loaded into the server of a run: writes down every turn of its event loop that used much processor time. That is the time
 * in which it served nobody, whatever else the machine did meanwhile. SIGUSR2 collects garbage and writes the memory down.
 */
import { appendFileSync } from "node:fs"
import { isMainThread } from "node:worker_threads"

const file = process.env.REQUESTS_PROBE
const write = (line: object): void => {
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ at: Date.now(), ...line })}\n`)
}

/** Shorter turns are no news. */
const minMs = 60

const watchTurns = (): void => {
  let wall = performance.now()
  let used = process.threadCpuUsage()
  setInterval(() => {
    const now = performance.now()
    const { system, user } = process.threadCpuUsage(used)
    const [wallMs, cpuMs] = [now - wall, (system + user) / 1000]
    if (cpuMs >= minMs) write({ what: "turn", wallMs: Math.round(wallMs), cpuMs: Math.round(cpuMs) })
    wall = performance.now()
    used = process.threadCpuUsage()
  }, 5).unref()
}

if (isMainThread) {
  watchTurns()
  process.on("SIGUSR2", () => {
    globalThis.gc?.()
    globalThis.gc?.()
    const { arrayBuffers, external, heapUsed, rss } = process.memoryUsage()
    write({ what: "memory", heapUsed, external, arrayBuffers, rss })
  })
}
