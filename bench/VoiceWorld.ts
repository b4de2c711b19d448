/** The processes of the benchmark of voice agents: the product and the floor, in front of one upstream. */
import type { ChildProcess } from "node:child_process"
import { createTrunkline } from "@trunkline/core"
import { simulator } from "@trunkline/providers/simulator"
import { sqlite } from "@trunkline/storage-sqlite"
import { messageOf, start } from "./Children.ts"
import { database, encryptionKey, folder } from "./Database.ts"
import type { Memory } from "./Memory.ts"
import { Caller } from "./VoiceCaller.ts"
import type { Asked, Spent } from "./VoiceServer.ts"

export interface Target {
  readonly detector: string
  /** A caller whose settings have been applied, and how long that took since it connected. */
  readonly call: () => Promise<{ readonly caller: Caller; readonly ms: number }>
  readonly spent: () => Promise<Spent>
  /** Watches the event loop until it is next asked what was spent. */
  readonly watch: () => Promise<Spent>
  readonly memory: () => Promise<Memory>
}

export interface World {
  readonly product: Target
  readonly floor: Target
  /** The milliseconds that were the upstream's, of each turn by its name since it was last asked. */
  readonly upstreamMs: () => Promise<ReadonlyMap<string, number>>
  readonly stop: () => void
}

const answerOf = <A>(child: ChildProcess, asked: Asked): Promise<A> => {
  child.send(asked)
  return messageOf<A>(child)
}

const targetOf = async (child: ChildProcess, key: string): Promise<Target> => {
  const { detector, port } = await messageOf<{ readonly port: number; readonly detector: string }>(child)
  return {
    detector,
    call: async () => {
      const from = performance.now()
      const caller = new Caller(port, key)
      await caller.next("Welcome", 0)
      caller.send({ type: "Settings", agent: { think: { provider: { model: "gemma-4-26b-a4b-it" } } } })
      const { at } = await caller.next("SettingsApplied", 0)
      return { caller, ms: at - from }
    },
    spent: () => answerOf<Spent>(child, "cpu"),
    watch: () => answerOf<Spent>(child, "watch"),
    memory: () => answerOf<Memory>(child, "memory")
  }
}

/** An account whose sessions have no limit. */
const prepare = async (path: string): Promise<string> => {
  const core = await createTrunkline({ storage: sqlite(path), telephony: simulator(), encryptionKey })
  const { id } = await core.admin.createAccount({ name: "Bench", plan: "enterprise" })
  await core.admin.addCredits(id, "1000000")
  const { text } = await core.admin.createKey(id, {
    requestsPerMinute: 1_000_000,
    concurrency: 1024,
    budget: "1000000"
  })
  await core.stop()
  return text
}

export const world = async (): Promise<World> => {
  const path = await database(folder(1), "voice.db")
  const key = await prepare(path)
  const models = start("VoiceUpstream.ts")
  const { port } = await messageOf<{ readonly port: number }>(models)
  const server = start("VoiceServer.ts", ["product", String(port), path])
  const product = await targetOf(server, key)
  const bare = start("VoiceServer.ts", ["floor", String(port), path])
  const floor = await targetOf(bare, key)
  return {
    product,
    floor,
    upstreamMs: async () => {
      models.send("turns")
      const { turns } = await messageOf<{ readonly turns: ReadonlyArray<readonly [string, number]> }>(models)
      return new Map(turns)
    },
    stop: () => {
      for (const child of [server, bare, models]) child.disconnect()
    }
  }
}
