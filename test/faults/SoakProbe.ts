/** Loaded into the server of a soak run: writes its heap after a collection into a file every minute. */
import { appendFileSync } from "node:fs"

const sample = (): void => {
  globalThis.gc?.()
  const { external, heapUsed } = process.memoryUsage()
  appendFileSync(process.env.SOAK_PROBE ?? "/dev/null", `${Date.now()} ${heapUsed} ${external}\n`)
}

setInterval(sample, 60_000).unref()
