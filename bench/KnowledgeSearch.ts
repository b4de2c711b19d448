/**
 * Questions to an agent that knows 10,000 entries, beside another one that knows as much: what one search takes, and what an
 * entry takes to be added, on both databases.
 */

import { Accounts, Bots, Ids, Instant, Knowledge, transact } from "@trunkline/core/effect"
import { BotStore, KnowledgeStore } from "@trunkline/core/storage"
import { CampaignUses, indexText, Vault } from "@trunkline/core/testing"
import { layer as postgres } from "@trunkline/storage-postgres"
import { layer as sqlite } from "@trunkline/storage-sqlite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { database, folder } from "./Database.ts"
import { type Figure, progress, report } from "./Figures.ts"
import { postgresServer } from "./Postgres.ts"
import { median } from "./Rounds.ts"

const size = 10_000
const asked = 300
const batch = 200

/** The audit log is not measured. */
const unwritten = Layer.succeed(Accounts, { record: () => Effect.void } as unknown as Accounts["Service"])

/** The same texts on both databases. */
const chance = () => {
  let seed = 7
  return () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed / 2_147_483_648
  }
}

const syllables = "ka lo mi ner tas vo pre son di ur gel bra tik ma fo sha len qui zo ber".split(" ")
const common = "the a to is of and you can order delivery kettle refund".split(" ")

/** A word for each number. */
const word = (n: number): string => {
  let [text, left] = ["", n + 13]
  do {
    text += syllables[left % syllables.length]
    left = Math.floor(left / syllables.length)
  } while (left > 0)
  return text
}

/** Two words in five are such as stand in most entries; of 30,000 others one is the rarer the higher its number. */
const texts = () => {
  const random = chance()
  const one = (): string =>
    random() < 0.4
      ? common[Math.floor(random() * common.length)]!
      : word(Math.floor(Math.exp(random() * Math.log(30_000))))
  return {
    of: (words: number): string => Array.from({ length: words }, one).join(" "),
    length: () => 60 + Math.floor(random() * 100)
  }
}

const percentile = (times: ReadonlyArray<number>, share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)]!

const fill = Effect.fnUntraced(function* (botIds: ReadonlyArray<Ids.BotId>, tenantId: Ids.AccountId) {
  const [bots, store, ids] = [yield* BotStore, yield* KnowledgeStore, Ids.ascending()]
  const at = Instant.make(0)
  const made = texts()
  for (const id of botIds) {
    const bot = { id, tenantId, name: "Asha", type: "messaging", systemPrompt: null, isActive: true, config: {} }
    yield* transact(bots.add({ ...bot, createdAt: at, updatedAt: at }))
    for (let n = 0; n < size; n += batch) {
      const entries = Array.from({ length: batch }, () => {
        const [title, content] = [made.of(4), made.of(made.length())]
        const entry = { id: Ids.as<"Knowledge">(ids.next(at)), tenantId, botId: id, title, content, createdAt: at }
        return store.add(entry, indexText(title, content))
      })
      yield* transact(Effect.all(entries, { discard: true }))
    }
  }
})

const measured = Effect.gen(function* () {
  const ids = Ids.ascending()
  const next = () => ids.next(Instant.make(0))
  const tenantId = Ids.as<"Account">(next())
  const [ours, theirs] = [Ids.as<"Bot">(next()), Ids.as<"Bot">(next())]
  yield* fill([ours, theirs], tenantId)
  const knowledge = yield* Knowledge
  const made = texts()
  const times = Effect.fnUntraced(function* (question: () => string) {
    const all: Array<number> = []
    for (let n = -30; n < asked; n++) {
      const text = question()
      const began = performance.now()
      yield* knowledge.search(ours, text, 5)
      if (n >= 0) all.push(performance.now() - began)
    }
    return all
  })
  const searches = {
    "ten words": yield* times(() => made.of(10)),
    "one word of most entries": yield* times(() => "kettle"),
    "five misspelt words": yield* times(() => `${made.of(5)} `.replace(/(\w)(\w)(?=\w{3,} )/g, "$2$1"))
  }
  const added: Array<number> = []
  for (let n = 0; n < 30; n++) {
    const began = performance.now()
    yield* knowledge.add(tenantId, ours, { title: made.of(4), content: made.of(made.length()) })
    added.push(performance.now() - began)
  }
  const began = performance.now()
  yield* Bots.use((bots) => bots.remove(tenantId, theirs))
  return { searches, added, removed: performance.now() - began }
})

const milliseconds = (time: number): string => `${time.toFixed(1)} ms`

const figuresOf = async (
  name: string,
  storage: ReturnType<typeof sqlite> | ReturnType<typeof postgres>,
  /** SQLite answers on the event loop: whatever a search takes, nobody else is served meanwhile. */
  bar: number
): Promise<ReadonlyArray<Figure>> => {
  progress(`${name}: ${(2 * size).toLocaleString("en")} entries`)
  const services = Layer.provideMerge(
    Knowledge.layer,
    Layer.provideMerge(
      Layer.provide(Bots.layer, Layer.mergeAll(unwritten, CampaignUses.layer, Vault.layer("a key for this benchmark"))),
      storage as ReturnType<typeof sqlite>
    )
  )
  const { added, removed, searches } = await Effect.runPromise(Effect.scoped(Effect.provide(measured, services)))
  return [
    ...Object.entries(searches).map(([what, times]) => {
      const p95 = percentile(times, 0.95)
      return {
        what: `${name}: ${what}`,
        measured: `p50 ${milliseconds(median(times))}, p95 ${milliseconds(p95)}`,
        judged: { value: p95, unit: " ms", bar: { atMost: bar } }
      }
    }),
    { what: `${name}: an entry of 110 words added`, measured: `p50 ${milliseconds(median(added))}` },
    { what: `${name}: an agent with all of them removed`, measured: milliseconds(removed) }
  ]
}

const main = async (): Promise<void> => {
  const path = await database(folder(), "knowledge.db")
  const onSqlite = await figuresOf("SQLite", sqlite({ path }), 25)
  const server = await postgresServer()
  if ("missing" in server) return report([...onSqlite, { what: "Postgres", measured: server.missing }])
  const onPostgres = await figuresOf("Postgres", postgres({ url: await server.database("knowledge") }), 100)
  await server.stop()
  report([...onSqlite, ...onPostgres])
}

await main()
