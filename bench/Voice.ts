/**
 * Agents on their socket: what the product adds to a turn, to an injected turn against a floor that requests the same reply and
 * sound and does nothing else, and what a call costs of the processor and in memory. This process is the clients; the server and
 * its models are others. The word `short` shows that it works: its figures mean little; the name of a part
 * measures that part alone.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { percentile } from "./ChatWorld.ts"
import { type Figure, progress, report } from "./Figures.ts"
import { type Caller, voice } from "./VoiceCaller.ts"
import { type Target, type World, world } from "./VoiceWorld.ts"

const isShort = process.argv.includes("short")
const counts = isShort
  ? { turns: 3, together: 1, injected: 4, injectedTogether: 2, warming: 1, handshakes: 10, interruptions: 1, calls: 50 }
  : {
      turns: 20,
      together: 4,
      injected: 30,
      injectedTogether: 10,
      warming: 15,
      handshakes: 40,
      interruptions: 3,
      calls: 1000
    }

/** What the settings are when nothing is said about them. */
const silenceMs = 500
const minSpeechMs = 400

/** Words without a pause among them, from the beginning of the first one on. */
const utterance = voice(1124, 900)
const sentence = voice(275, 2575)
/** From one injected turn to the next: the reply has been heard by then. */
const injectedEveryMs = 1500
const turnEveryMs = 4000

const ms = (value: number): string => `${value.toFixed(1)} ms`
const p50p95 = (values: ReadonlyArray<number>): string =>
  `p50 ${ms(percentile(values, 0.5))}, p95 ${ms(percentile(values, 0.95))}`
const atMost = (value: number, bar: number, unit = " ms") => ({ value, unit, bar: { atMost: bar } })

const callers = async (target: Target, count: number, isStreaming: boolean): Promise<ReadonlyArray<Caller>> => {
  const all: Array<Caller> = []
  for (let n = 0; n < count; n++) {
    const { caller } = await target.call()
    if (isStreaming) caller.stream()
    all.push(caller)
  }
  return all
}

const closed = async (all: ReadonlyArray<Caller>): Promise<void> => {
  await Promise.all(all.map((caller) => caller.close()))
}

interface Turn {
  readonly name: string
  /** By the server's report. */
  readonly totalMs: number
  readonly decisionMs: number
  /** From the last of the speech to the first sound, as the client sees it. */
  readonly heardMs: number
}

/** Speaks, and waits for the reply. */
const turn = async (caller: Caller): Promise<Turn> => {
  const from = caller.now
  const { end } = await caller.speak(utterance)
  const { message: latencies } = await caller.next("LatencyReport", from)
  const { at } = await caller.next(null, from)
  await caller.next("AgentAudioDone", from)
  return {
    name: /question (\w+)/.exec(caller.lastWords)![1]!,
    totalMs: Number(latencies.total_latency) * 1000,
    decisionMs: Number(latencies.eou_latency) * 1000,
    heardMs: at - end
  }
}

/** Turns of callers who speak at the same pace, each beginning at another time. The first turn of each does not count. */
const turnsOf = async (at: World, sessions: number, rounds: number) => {
  const all = await callers(at.product, sessions, true)
  await at.product.spent()
  const found: Array<Turn> = []
  await Promise.all(
    all.map(async (caller, nth) => {
      await sleep(400 + (nth * turnEveryMs) / sessions)
      for (let round = -1; round < rounds; round++) {
        const next = performance.now() + turnEveryMs
        const one = await turn(caller)
        if (round >= 0) found.push(one)
        await sleep(sessions === 1 ? 1000 : Math.max(0, next - performance.now()))
      }
    })
  )
  const upstream = await at.upstreamMs()
  const late = Math.max(...all.map((caller) => caller.latest(0)))
  await closed(all)
  const added = (total: (turn: Turn) => number) => found.map((one) => total(one) - silenceMs - upstream.get(one.name)!)
  const own = added(({ totalMs }) => totalMs)
  const heard = added(({ heardMs }) => heardMs)
  progress(`${sessions} sessions: own part ${p50p95(own)}; as the client hears it ${p50p95(heard)}; late ${ms(late)}`)
  return { own, heard, decision: found.map(({ decisionMs }) => decisionMs - silenceMs), late }
}

const turnFigures = async (at: World): Promise<ReadonlyArray<Figure>> => {
  const one = await turnsOf(at, 1, counts.turns)
  const twenty = await turnsOf(at, 20, counts.together)
  const against = (heard: ReadonlyArray<number>) => `as the client hears it ${p50p95(heard)}`
  const half = percentile(one.own, 0.5)
  return [
    {
      ...{ what: "own part of a turn, 1 session, p50", measured: p50p95(one.own), against: against(one.heard) },
      judged: atMost(half, 25)
    },
    { what: "… p95", measured: ms(percentile(one.own, 0.95)), judged: atMost(percentile(one.own, 0.95), 60) },
    {
      ...{ what: "… 20 sessions, p95", measured: p50p95(twenty.own), against: against(twenty.heard) },
      judged: atMost(percentile(twenty.own, 0.95), 80)
    },
    { what: "… the latest frame to a caller", measured: ms(twenty.late), judged: atMost(twenty.late, 60) },
    {
      ...{ what: "end of speech to decision, beyond the silence, p95", measured: p50p95(twenty.decision) },
      judged: atMost(percentile(twenty.decision, 0.95), 50)
    }
  ]
}

let injections = 0

/** Injects words, and answers with their name and the time to the first sound. */
const inject = async (caller: Caller, kind = "inj") => {
  injections += 1
  const name = `${kind}${injections}`
  const from = caller.now
  const began = performance.now()
  caller.send({ type: "InjectUserMessage", content: `This is question ${name} of mine.` })
  const { at } = await caller.next(null, from)
  return { name, took: at - began }
}

/** Injected turns of callers at the same pace: of each the part that was not the upstream's, and the processor's time for all. */
const injected = async (target: Target, sessions: number, rounds: number) => {
  const all = await callers(target, sessions, false)
  const found: Array<{ readonly name: string; readonly took: number }> = []
  const { cpu } = await target.spent()
  const everyMs = sessions > 1 ? 1.5 * injectedEveryMs : injectedEveryMs
  for (let round = 0; round < rounds; round++) {
    const next = performance.now() + everyMs
    const answered = await Promise.all(
      all.map(async (caller, nth) => {
        await sleep((nth * injectedEveryMs) / sessions / 2)
        return inject(caller)
      })
    )
    found.push(...answered)
    await sleep(Math.max(0, next - performance.now()))
  }
  const cpuMs = ((await target.spent()).cpu - cpu) / 1000
  await closed(all)
  return { found, cpuMs, lastedMs: rounds * everyMs }
}

const ownOf = (upstream: ReadonlyMap<string, number>, found: ReadonlyArray<{ name: string; took: number }>) =>
  found.map(({ name, took }) => took - upstream.get(name)!)

/** Milliseconds of the processor that a process uses for each millisecond in which nothing happens. */
const idleShare = async (target: Target): Promise<number> => {
  const before = (await target.spent()).cpu
  await sleep(idleMs)
  return ((await target.spent()).cpu - before) / 1000 / idleMs
}

/** Both of the same, the floor half a turn later: neither disturbs the other. */
const both = async <A>(
  { floor, product }: World,
  measure: (target: Target) => Promise<A>
): Promise<readonly [A, A]> => {
  const later = sleep(injectedEveryMs / 2).then(() => measure(floor))
  return [await measure(product), await later]
}

/** The processor's time for one injected turn, beyond what the process uses without it. */
const cpuFigure = async (at: World, what: string, sessions: number, rounds: number) => {
  const idle = await both(at, idleShare)
  const ran = await both(at, (target) => injected(target, sessions, rounds))
  const [ours, bare] = ran.map(({ cpuMs, found, lastedMs }, nth) => (cpuMs - idle[nth]! * lastedMs) / found.length) as [
    number,
    number
  ]
  const figure: Figure = {
    ...{ what, measured: `${ours.toFixed(2)} ms`, against: `floor ${bare.toFixed(2)} ms` },
    judged: { value: ours / bare, bar: { atMost: 3 } }
  }
  return { figure, ran, idle: idle[0] }
}

const injectedFigures = async (at: World): Promise<ReadonlyArray<Figure>> => {
  await both(at, (target) => injected(target, 24, counts.warming))
  const one = await cpuFigure(at, "processor time of an injected turn, 1 at a time", 1, counts.injected)
  const eight = await cpuFigure(at, "… 8 at a time", 8, counts.injectedTogether)
  const upstream = await at.upstreamMs()
  const [ours, bare] = one.ran.map(({ found }) => ownOf(upstream, found)) as [Array<number>, Array<number>]
  progress(`injected: own part ${p50p95(ours)}, floor ${p50p95(bare)}`)
  const added = (part: number) => percentile(ours, part) - percentile(bare, part)
  const against = `floor ${p50p95(bare)}`
  return [
    { what: "own part of an injected turn, p50", measured: p50p95(ours), against, judged: atMost(added(0.5), 5) },
    { what: "… p95", measured: ms(percentile(ours, 0.95)), against, judged: atMost(added(0.95), 15) },
    one.figure,
    eight.figure,
    { what: "of a core, a process without a call", measured: `${(one.idle * 100).toFixed(2)} %` }
  ]
}

const handshakes = async ({ product }: World): Promise<Figure> => {
  const found: Array<number> = []
  for (let n = -5; n < counts.handshakes; n++) {
    const { caller, ms } = await product.call()
    if (n >= 0) found.push(ms)
    await caller.close()
  }
  return {
    ...{ what: "handshake to SettingsApplied, p95", measured: p50p95(found) },
    judged: atMost(percentile(found, 0.95), 50)
  }
}

/** Callers who speak while the agent does, each in a call of its own. */
const interruptions = async ({ product, upstreamMs }: World): Promise<Figure> => {
  const found: Array<number> = []
  for (let round = 0; round < counts.interruptions; round++) {
    const all = await callers(product, 10, true)
    await Promise.all(
      all.map(async (caller, nth) => {
        await sleep(500 + nth * 53)
        await inject(caller, "long")
        await sleep(300)
        const from = caller.now
        const { mark } = await caller.speak(utterance, { markMs: minSpeechMs })
        found.push((await caller.next("UserStartedSpeaking", from)).at - mark)
      })
    )
    await closed(all)
  }
  await upstreamMs()
  return {
    ...{ what: "speech passing min_speech_ms to UserStartedSpeaking, p95", measured: p50p95(found) },
    judged: atMost(percentile(found, 0.95), 60)
  }
}

const idleMs = isShort ? 1000 : 5000

const live = 50
const watchedMs = isShort ? 2000 : 6000

/** Of a core, for each of fifty calls, and the longest standstill. */
const whileStreaming = async ({ floor, product }: World, speaks: boolean) => {
  const all = await callers(product, live, true)
  if (speaks) for (const caller of all) void caller.speak(sentence, { isRepeating: true })
  await sleep(1500)
  const before = await product.spent()
  const from = performance.now()
  await sleep(watchedMs)
  const { cpu } = await product.spent()
  const percent = (cpu - before.cpu) / 10 / (performance.now() - from) / live
  await Promise.all([product.watch(), floor.watch()])
  await sleep(watchedMs / 2)
  const { stopped } = await product.spent()
  const idle = (await floor.spent()).stopped
  await closed(all)
  return { percent, stopped, idle }
}

const streamFigures = async (at: World): Promise<ReadonlyArray<Figure>> => {
  const silent = await whileStreaming(at, false)
  const speaking = await whileStreaming(at, true)
  const figure = (what: string, { percent }: { readonly percent: number }): Figure => ({
    ...{ what, measured: `${percent.toFixed(2)} %`, against: at.product.detector },
    judged: atMost(percent, 1, " %")
  })
  const stopped = Math.max(silent.stopped, speaking.stopped)
  return [
    figure("of a core, a call whose caller is silent", silent),
    figure("… who speaks", speaking),
    {
      ...{ what: `longest stop of the event loop, ${live} calls`, measured: ms(stopped) },
      against: `a process that does nothing ${ms(Math.max(silent.idle, speaking.idle))}`,
      judged: atMost(stopped, 50)
    }
  ]
}

/** Calls with one injected turn each, 25 at a time. */
const manyCalls = async ({ product }: World, count: number): Promise<void> => {
  let left = count
  const worker = async (): Promise<void> => {
    while (left-- > 0) {
      const { caller } = await product.call()
      await inject(caller)
      await caller.close()
    }
  }
  await Promise.all(Array.from({ length: 25 }, worker))
}

const memoryFigures = async (at: World): Promise<ReadonlyArray<Figure>> => {
  const { product } = at
  await manyCalls(at, counts.calls)
  const before = await product.memory()
  await manyCalls(at, counts.calls)
  const after = await product.memory()
  const grown = (after.held - before.held) / 1e6
  const all = await callers(product, 100, true)
  await Promise.all(all.map((caller) => inject(caller)))
  await sleep(2000)
  const during = await product.memory()
  await closed(all)
  const held = (during.held - after.held) / 1000 / all.length
  const resident = (during.resident - after.resident) / 1000 / all.length
  return [
    {
      ...{ what: "memory of a live call", measured: `held ${held.toFixed(0)} kB, resident ${resident.toFixed(0)} kB` },
      judged: atMost(held, 400, " kB")
    },
    {
      what: `growth from call ${counts.calls} to ${2 * counts.calls}`,
      measured: `${grown.toFixed(1)} MB`,
      judged: atMost(grown, 5, " MB")
    }
  ]
}

const parts: Readonly<Record<string, (at: World) => Promise<ReadonlyArray<Figure>>>> = {
  turns: turnFigures,
  edges: async (at) => [await interruptions(at), await handshakes(at)],
  injected: injectedFigures,
  streams: streamFigures,
  memory: memoryFigures
}

const main = async (): Promise<void> => {
  const named = Object.keys(parts).filter((name) => process.argv.includes(name))
  const at = await world()
  progress(`speech is detected by ${at.product.detector}`)
  const figures: Array<Figure> = []
  for (const name of named.length > 0 ? named : Object.keys(parts)) figures.push(...(await parts[name]!(at)))
  at.stop()
  report(figures)
}

await main()
