/** Requests that are sent while nothing else is under way, so that what they cost is theirs. */
import { type Turn, turnsIn } from "./Measurements.ts"
import type { Outcome } from "./Requests.ts"
import { pause, type SendingRun, type Sent } from "./SendingRun.ts"

export interface Alone {
  readonly sent: Sent
  readonly cpuMs: number
}

/** A turn above this is looked into. */
export const longTurnMs = 250
const maxSuspects = 40

/** Of one kind so many are sent once more. */
const maxOfKind = 3
const maxAloneMs = 180_000
const maxCalmMs = 120_000

/** Hostile requests that were under way in a long turn, or when the process ended; the longest turns first. */
export const suspectsOf = (run: SendingRun, turns: ReadonlyArray<Turn>): ReadonlyArray<Sent> => {
  const long = turns.filter(({ cpuMs }) => cpuMs > longTurnMs).sort((a, b) => b.cpuMs - a.cpuMs)
  const ended = new Set(
    run.found.filter(({ cause }) => cause.startsWith("the process ended")).map(({ number }) => number)
  )
  const candidates = [
    ...run.sent.filter(({ number }) => ended.has(number)),
    ...long.flatMap(({ at, wallMs }) => run.sent.filter(({ from, to }) => from <= at && to >= at - wallMs))
  ]
  const taken = new Map<string, number>()
  const suspects = [...new Set(candidates)].filter(({ kind, name }) => {
    const count = taken.get(name) ?? 0
    taken.set(name, count + 1)
    return kind === "hostile" && count < maxOfKind
  })
  return suspects.slice(0, maxSuspects)
}

/** Waits until the server does nothing more: it answers soon, and no turn was long meanwhile. */
const calmed = async ({ folder, world }: SendingRun): Promise<void> => {
  for (const end = Date.now() + maxCalmMs; Date.now() < end; ) {
    const from = Date.now()
    await pause(500)
    const isThere = await fetch(`${world.product.url}/healthz`).then(
      ({ ok }) => ok,
      () => false
    )
    if (isThere && Date.now() - from < 1000 && turnsIn(folder, from, Date.now()).length === 0) return
  }
}

/** Sends a request while nothing else is under way; the longest turn that it caused. */
const lonely = async (
  run: SendingRun,
  number: number
): Promise<{ readonly outcome: Outcome; readonly cpuMs: number }> => {
  await calmed(run)
  const from = Date.now()
  const outcome = await run.sendOne(run.make(number))
  await calmed(run)
  return { outcome, cpuMs: Math.max(0, ...turnsIn(run.folder, from, Date.now()).map(({ cpuMs }) => cpuMs)) }
}

/** Sends suspects once more, each alone. */
export const alone = async (run: SendingRun, suspects: ReadonlyArray<Sent>): Promise<ReadonlyArray<Alone>> => {
  const found: Array<Alone> = []
  const until = Date.now() + maxAloneMs
  for (const sent of suspects) {
    if (Date.now() > until) break
    const { cpuMs } = await lonely(run, sent.number)
    if (cpuMs > longTurnMs) found.push({ sent, cpuMs })
  }
  return found.sort((a, b) => b.cpuMs - a.cpuMs)
}

/** One request alone, in full. */
export const single = async (run: SendingRun, number: number): Promise<void> => {
  const { request, ...about } = run.make(number)
  const { cpuMs, outcome } = await lonely(run, number)
  const sent =
    request.via === "http"
      ? { ...request, body: request.body?.subarray(0, 500).toString(), json: undefined }
      : request.via
  run.options.log(JSON.stringify({ ...about, sent, cpuMs, outcome }, null, 1).slice(0, 5000))
}
