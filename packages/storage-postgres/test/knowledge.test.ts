/** The full-text search of Postgres: by its index, and with the results of SQLite. Verifies: BOTS-4. */

import { Bots, Knowledge, transact } from "@trunkline/core/effect"
import { BotStore } from "@trunkline/core/storage"
import { CampaignUses, indexText, Vault } from "@trunkline/core/testing"
import { bind, migrationsOf, postgresDialect, statements } from "@trunkline/storage-kysely"
import { layer as postgres } from "@trunkline/storage-postgres"
import { layer as sqlite } from "@trunkline/storage-sqlite"
import { auditingAccounts, KnowledgeQuestions, Rows, type StoresLayer } from "@trunkline/testing/storage"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import pg from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { database, missing } from "../../../test/TestPostgres.ts"

const reason = missing()

/** What two storages must agree on: which entries, in which order, with which scores. */
const answers = Effect.gen(function* () {
  const bot = Rows.bot(Rows.id())
  yield* transact(BotStore.use((store) => store.add(bot)))
  const knowledge = yield* Knowledge
  for (const { content, title } of KnowledgeQuestions.entries)
    yield* knowledge.add(bot.tenantId, bot.id, { title, content })
  const asked = [...KnowledgeQuestions.questions.map(({ question }) => question), ...KnowledgeQuestions.unanswerable]
  return yield* Effect.forEach(asked, (question) =>
    Effect.map(knowledge.search(bot.id, question, 10), (found) => ({
      question,
      found: found.map(({ score, snippet, title }) => ({ title, score, snippet }))
    }))
  )
})

const vault = Vault.layer("a key for the secrets of this test")
const allBots = Layer.provide(Bots.layer, Layer.mergeAll(auditingAccounts, CampaignUses.layer, vault))

const ask = (storage: StoresLayer) =>
  Effect.runPromise(
    Effect.scoped(Effect.provide(answers, Layer.provideMerge(Knowledge.layer, Layer.provideMerge(allBots, storage))))
  )

interface Node {
  readonly "Node Type": string
  readonly "Index Name"?: string
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly Plans?: ReadonlyArray<Node>
}

const nodesOf = (node: Node): ReadonlyArray<Node> => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

describe.skipIf(reason !== null)(`knowledge on Postgres${reason === null ? "" : ` [skipped: ${reason}]`}`, () => {
  const scope = Effect.runSync(Scope.make())
  let url: string

  beforeAll(async () => {
    url = await Effect.runPromise(Effect.provideService(database, Scope.Scope, scope))
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  it("is found as on SQLite: the same entries in the same order with the same scores", async () => {
    const [there, here] = [await ask(sqlite({ path: ":memory:" })), await ask(postgres({ url, schema: "agents" }))]
    assert.isAbove(there.filter(({ found }) => found.length > 1).length, 50)
    assert.deepStrictEqual(here, there)
  })

  it("costs what the agent has of the words, whatever other agents know", async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      // Each in a transaction, as at a start: some of them lock their tables.
      for (const migration of migrationsOf(postgresDialect)) {
        await client.query("begin")
        for (const text of migration.statements) await client.query(text)
        await client.query("commit")
      }
      // Two hundred agents with a hundred passages each, every one of them about lamps.
      await client.query(`
        insert into knowledge_passages (entry_id, bot_id, first_unit, end_unit, title_terms, terms)
          select md5(n::text)::uuid, md5('bot' || n % 200)::uuid, 0, 9, 'lamp', 'lamp for table ' || n from generate_series(1, 20000) n;
        analyze knowledge_passages`)
      const { rows } = await client.query("select distinct bot_id from knowledge_passages limit 1")
      const scope = String(rows[0].bot_id).slice(-8)
      const compiled = statements()
        .find(({ name }) => name === "knowledge.candidates")!
        .compile(postgresDialect)
      const values = {
        lexemes: [
          { lexeme: `${scope}lamp`, weight: 1 },
          { lexeme: `t${scope}lamp`, weight: 1 },
          { lexeme: `${scope}'\\ & x`, weight: 1 }
        ],
        limit: 200
      }
      // As a prepared statement is planned in the end: for any values.
      await client.query("set plan_cache_mode = force_generic_plan")
      const answer = await client.query(
        `explain (analyze, format json) ${compiled.sql}`,
        bind(compiled, values, postgresDialect.encode)
      )
      const plan = nodesOf(answer.rows[0]["QUERY PLAN"][0].Plan)
      assert.include(
        plan.map((node) => node["Index Name"]),
        "knowledge_passages_search",
        JSON.stringify(plan, null, 1)
      )
      // A hundred passages, each found by the content and by the title. A loop's rows are shown as a rounded mean.
      assert.closeTo(Math.max(...plan.map((node) => node["Actual Rows"] * node["Actual Loops"])), 200, 1)
    } finally {
      await client.end()
    }
  })

  it("is never too much for its index, whatever fills an entry", async () => {
    const characters = Array.from({ length: 100_000 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000)))
    const contents = [characters.join(""), "é-".repeat(50_000)]
    for (const content of contents) assert.isAbove(indexText("x", content).passages.length, 1)
    const taught = Effect.gen(function* () {
      const bot = Rows.bot(Rows.id())
      yield* transact(BotStore.use((store) => store.add(bot)))
      const knowledge = yield* Knowledge
      for (const content of contents) yield* knowledge.add(bot.tenantId, bot.id, { title: "x".repeat(255), content })
      return yield* knowledge.search(bot.id, characters.slice(5000, 5004).join(""), 9)
    })
    const storage = Layer.provideMerge(Knowledge.layer, Layer.provideMerge(allBots, postgres({ url, schema: "full" })))
    const found = await Effect.runPromise(Effect.scoped(Effect.provide(taught, storage)))
    assert.lengthOf(found, 1)
    assert.include(found[0]!.snippet, characters.slice(5000, 5004).join(""))
  })
})
