/** Does what the plan says to the product's processes, its database and its neighbours, and keeps the processes up. */
import { once } from "node:events"
import type { Database } from "./Databases.ts"
import type { Armed } from "./NeighbourMessages.ts"
import { type Fault, skewOf } from "./Plan.ts"
import type { FaultyWorld } from "./World.ts"

type Of<Does extends Fault["does"]> = Fault & { readonly does: Does }

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** How long a signal waits for the answer of a neighbour. */
const armedMs = 4000

export class Faults {
  readonly #world: FaultyWorld
  readonly #database: Database
  readonly #seed: number
  readonly #waiting = new Map<number, (wasSent: boolean) => void>()
  /** How long each process stays down after its next end. */
  readonly #downMs = new Map<number, number>()
  /** Processes that listen, and since when. */
  readonly #ready = new Map<number, number>()
  /** Kills of one process are done one after the other. */
  readonly #kills = new Map<number, Promise<void>>()
  /** How often a signal to each process was asked for, and has come to its end. */
  readonly #signals = new Map<number, number>()
  /** Processes that are to get a signal at any moment. */
  #armed: ReadonlyArray<number> = []
  #ids = 0
  #isLate = false
  #isOver = false
  #databaseBack: Promise<void> = Promise.resolve()

  constructor(world: FaultyWorld, database: Database, seed: number) {
    this.#world = world
    this.#database = database
    this.#seed = seed
    world.onSignal((id, wasSent) => {
      this.#waiting.get(id)?.(wasSent)
      this.#waiting.delete(id)
    })
    for (const { process } of world.products) {
      this.#ready.set(process, Date.now())
      void this.#keepUp(process)
    }
  }

  /** Starts a process again whenever it has ended. */
  async #keepUp(process: number): Promise<void> {
    const product = this.#world.products[process]!
    for (;;) {
      const code = await product.ended()
      this.#ready.delete(process)
      if (this.#isOver) return
      this.#world.say("faults", { what: "ended", process, code })
      await pause(this.#downMs.get(process) ?? 200)
      this.#downMs.delete(process)
      const began = Date.now()
      const isUp = await this.#world.start(process, skewOf(this.#seed, process, product.starts)).then(
        () => true,
        () => false
      )
      if (isUp) this.#ready.set(process, Date.now())
      const code2 = isUp ? null : await product.ended()
      this.#world.say("faults", {
        what: isUp ? "started" : "start failed",
        process,
        skewMs: product.skewMs,
        ms: Date.now() - began,
        code: code2
      })
    }
  }

  /**
   * Does every fault at its instant. Kills that still wait for their process when time is over are left out. Fails at once where
   * a fault cannot be done, such as a database that does not start again: what came later would prove nothing.
   */
  async run(faults: ReadonlyArray<Fault>, durationMs: number): Promise<void> {
    const began = Date.now()
    setTimeout(() => {
      this.#isLate = true
    }, durationMs)
    const impossible = Promise.withResolvers<never>()
    impossible.promise.catch(() => undefined)
    const running: Array<Promise<void>> = []
    for (const fault of faults) {
      await Promise.race([pause(Math.max(0, began + fault.at - Date.now())), impossible.promise])
      if (this.#isOver) break
      const own = this.#perform(fault)
      own.catch(impossible.reject)
      running.push(own)
    }
    await Promise.all(running)
  }

  /** Waits until all processes listen. */
  async allUp(): Promise<void> {
    const isUp = () => this.#world.products.every(({ isRunning, process }) => isRunning && this.#ready.has(process))
    while (!isUp()) await pause(100)
  }

  /** Ends in order what is left: the last exit codes are written down too. */
  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#world.products.map(({ process }) => this.#end({ at: 0, does: "end", process })))
  }

  #perform(fault: Fault): Promise<void> {
    switch (fault.does) {
      case "kill":
        return this.#queued(fault)
      case "end":
        return this.#end(fault)
      case "stall":
        return this.#stall(fault)
      case "outage":
        return this.#lasting(fault.neighbour, null, fault.forMs, this.#outage(fault))
      case "cut":
        return this.#cut()
      case "database":
        return this.#stopDatabase(fault)
      case "full":
        return this.#fill(fault)
    }
  }

  async #lasting(what: string, process: number | null, ms: number, action: () => Promise<void>): Promise<void> {
    this.#world.say("faults", { what, process, ms, phase: "begin" })
    await action()
    this.#world.say("faults", { what, process, phase: "end" })
  }

  #outage({ forMs, neighbour }: Of<"outage">) {
    return async () => {
      this.#world.order({ order: "outage", neighbour, isOut: true })
      await pause(forMs)
      this.#world.order({ order: "outage", neighbour, isOut: false })
    }
  }

  #count(process: number): number {
    const count = (this.#signals.get(process) ?? 0) + 1
    this.#signals.set(process, count)
    return count
  }

  /** Sends a signal right after an answer of a neighbour, or after a while without one. True where it was sent. */
  async #send(process: number, signal: Armed["signal"], after: Of<"kill">["after"]): Promise<boolean> {
    this.#armed = [...this.#armed, process]
    const wasSent = await this.#sendNow(process, signal, after)
    const { child } = this.#world.products[process]!
    const isEnding = wasSent && signal === "SIGKILL" && child?.exitCode === null && child.signalCode === null
    if (isEnding) await once(child, "exit")
    this.#armed = this.#armed.toSpliced(this.#armed.indexOf(process), 1)
    this.#count(process)
    return wasSent
  }

  async #sendNow(process: number, signal: Armed["signal"], after: Of<"kill">["after"]): Promise<boolean> {
    const product = this.#world.products[process]!
    if (after !== null && product.isRunning) {
      this.#ids += 1
      const id = this.#ids
      this.#world.order({ order: "arm", armed: { id, process, signal, ...after } })
      const fired = new Promise<boolean>((resolve) => this.#waiting.set(id, resolve))
      if (await Promise.race([fired, pause(after.withinMs ?? armedMs).then(() => null)])) return true
      this.#world.order({ order: "disarm", id })
      this.#waiting.delete(id)
    }
    for (let waited = 0; !product.isRunning && waited < 5000; waited += 20) await pause(20)
    if (!product.isRunning || this.#isOver) return false
    product.signal(signal)
    return true
  }

  #queued(fault: Of<"kill">): Promise<void> {
    const before = this.#kills.get(fault.process) ?? Promise.resolve()
    const own = before.then(() => this.#kill(fault))
    this.#kills.set(fault.process, own)
    return own
  }

  async #kill({ after, downMs, process, upMs }: Of<"kill">): Promise<void> {
    const isDue = () => Date.now() - (this.#ready.get(process) ?? Number.POSITIVE_INFINITY) >= (upMs ?? 0)
    while (upMs !== null && !this.#isLate && !isDue()) await pause(20)
    if (this.#isLate) return
    this.#downMs.set(process, downMs)
    if (!(await this.#send(process, "SIGKILL", after))) return
    const detail = after === null ? "" : `${Math.round(after.delayMs)} ms after an answer of ${after.neighbour}`
    this.#world.say("faults", { what: "kill", process, detail })
  }

  async #end({ process }: Of<"end">): Promise<void> {
    const product = this.#world.products[process]!
    if (!product.isRunning || product.isStopped || !this.#ready.has(process)) return
    const began = Date.now()
    const signals = this.#count(process)
    product.signal("SIGTERM")
    const code = await product.ended()
    // Another signal may have come meanwhile: how it ends says nothing.
    if (this.#signals.get(process) !== signals || this.#armed.includes(process)) return
    this.#world.say("faults", { what: "end", process, code, ms: Date.now() - began })
  }

  async #stall({ after, forMs, process }: Of<"stall">): Promise<void> {
    const product = this.#world.products[process]!
    if (!(await this.#send(process, "SIGSTOP", after))) return
    const detail = after === null ? "" : `after an answer of ${after.neighbour}`
    this.#world.say("faults", { what: "stall", process, ms: forMs, phase: "begin", detail })
    await pause(forMs)
    product.signal("SIGCONT")
    this.#world.say("faults", { what: "stall", process, phase: "end" })
  }

  async #cut(): Promise<void> {
    const { cut } = this.#database
    if ("skipped" in cut) return
    await cut()
    this.#world.say("faults", { what: "cut", process: null })
  }

  async #stopDatabase({ forMs, isHard }: Of<"database">): Promise<void> {
    const { stopFor } = this.#database
    if ("skipped" in stopFor) return
    // One that is planned while the server is away begins when it is back.
    const stopping = this.#databaseBack.then(() => this.#lasting("database", null, forMs, () => stopFor(forMs, isHard)))
    this.#databaseBack = stopping
    await stopping
  }

  async #fill({ forMs }: Of<"full">): Promise<void> {
    const { fillFor } = this.#database
    if ("skipped" in fillFor) return
    await this.#lasting("full", null, forMs, () => fillFor(forMs))
  }
}
