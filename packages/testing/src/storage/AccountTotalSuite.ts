/** Totals of accounts are what their rows come to, by whatever statement rows come, change and go. Verifies: STOR-9. */
import { assert } from "@effect/vitest"
import { type Ids, read, transact } from "@trunkline/core/effect"
import {
  AccessStore,
  type AccountTotal,
  AccountTotals,
  BotStore,
  IdempotencyStore,
  KnowledgeStore,
  ResponseStore,
  SuppressionStore
} from "@trunkline/core/storage"
import { indexText } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

const at = Rows.at(0)
const later = Rows.at(1000)

const total = (tenantId: Ids.AccountId, name: AccountTotal) =>
  read(AccountTotals.use((totals) => totals.read(tenantId, name)))

const all = (tenantId: Ids.AccountId) => read(AccountTotals.use((totals) => totals.all(tenantId)))

const nothing = {
  suppression_entries: 0,
  knowledge_bytes: 0,
  kept_responses: 0,
  kept_response_bytes: 0,
  kept_answer_bytes: 0
}

const account = Effect.suspend(() => {
  const added = Rows.account()
  return Effect.as(transact(AccessStore.use((store) => store.addAccount(added))), added.id)
})

const keep = (tenantId: Ids.AccountId, text: string, expiresAt = later) =>
  Effect.gen(function* () {
    const id = `resp_${Rows.id()}`
    const message = { type: "message", role: "user", content: text }
    const response = { id, output: [{ ...message, id: `msg_${id}`, role: "assistant" }] }
    const kept = { id, tenantId, response, before: [], input: [{ id: `in_${id}`, item: message }], expiresAt }
    yield* transact(ResponseStore.use((store) => store.add(kept)))
    return id
  })

export const accountTotals = suite("totals of accounts", ({ it }) => {
  it.effect("of the do-not-call list count each number once, for its own account", () =>
    Effect.gen(function* () {
      const [mine, other] = [yield* account, yield* account]
      const entry = Rows.entry(mine)
      const store = yield* SuppressionStore
      const added = yield* transact(
        Effect.all([
          store.add(entry),
          store.add({ ...entry, id: Rows.id() }),
          store.add(Rows.entry(mine)),
          store.add(Rows.entry(other))
        ])
      )
      assert.deepStrictEqual(added, [true, false, true, true])
      assert.strictEqual(yield* total(mine, "suppression_entries"), 2)
      yield* transact(store.remove(other, entry.id))
      yield* transact(store.remove(mine, entry.id))
      assert.strictEqual(yield* total(mine, "suppression_entries"), 1)
      assert.strictEqual(yield* total(other, "suppression_entries"), 1)
    })
  )

  it.effect("of knowledge have its bytes, and none once the agent has forgotten everything", () =>
    Effect.gen(function* () {
      const tenantId = yield* account
      const bot = Rows.bot(tenantId)
      yield* transact(BotStore.use((store) => store.add(bot)))
      const store = yield* KnowledgeStore
      const learn = (title: string, content: string) => {
        const entry = { id: Rows.id<"Knowledge">(), tenantId, botId: bot.id, title, content, createdAt: at }
        return Effect.as(transact(store.add(entry, indexText(title, content))), entry.id)
      }
      const first = yield* learn("नल", "é")
      yield* learn("Tea", "hot")
      assert.strictEqual(yield* total(tenantId, "knowledge_bytes"), 6 + 2 + 6)
      assert.strictEqual(yield* read(store.countOfAccount(tenantId)), 2)
      yield* transact(store.remove({ id: first, tenantId, botId: bot.id }))
      assert.strictEqual(yield* total(tenantId, "knowledge_bytes"), 6)
      yield* transact(store.removeAll(bot.id))
      assert.deepStrictEqual(yield* all(tenantId), nothing)
      assert.strictEqual(yield* read(store.countOfAccount(tenantId)), 0)
    })
  )

  it.effect("of kept responses fall with the items that go with them, also where they expire", () =>
    Effect.gen(function* () {
      const tenantId = yield* account
      const [id] = [yield* keep(tenantId, "é".repeat(1000)), yield* keep(tenantId, "x", at)]
      const kept = yield* all(tenantId)
      assert.strictEqual(kept.kept_responses, 2)
      // The text is in the input, in the response and among the items of the output.
      assert.isAtLeast(kept.kept_response_bytes, 3 * 2000)
      assert.isAtMost(kept.kept_response_bytes, 3 * 2000 + 1500)
      const store = yield* ResponseStore
      yield* transact(store.sweep(at, 100))
      assert.strictEqual(yield* total(tenantId, "kept_responses"), 1)
      yield* transact(store.remove(tenantId, id, at))
      assert.deepStrictEqual(yield* all(tenantId), nothing)
    })
  )

  it.effect("of kept answers follow a key through its runs", () =>
    Effect.gen(function* () {
      const tenantId = yield* account
      const store = yield* IdempotencyStore
      const run = (claim: string, expiresAt = at) => ({
        ...{ tenantId, key: "k", fingerprint: "f", claim, leaseUntil: later, hasActed: false },
        ...{ answer: null, expiresAt }
      })
      const answer = (body: string) => ({ status: 200, contentType: "text/plain", body, headers: {} })
      const bytesOf = (body: string) => Buffer.byteLength(JSON.stringify(answer(body)))
      const [first, second] = [Rows.id(), Rows.id()]
      yield* transact(store.claim(run(first), at))
      assert.strictEqual(yield* total(tenantId, "kept_answer_bytes"), 0)
      yield* transact(store.complete({ tenantId, key: "k", claim: first }, answer("é"), at))
      assert.strictEqual(yield* total(tenantId, "kept_answer_bytes"), bytesOf("é"))
      // Expired: another run takes the key.
      assert.isTrue(yield* transact(store.claim(run(second), at)))
      assert.strictEqual(yield* total(tenantId, "kept_answer_bytes"), 0)
      yield* transact(store.complete({ tenantId, key: "k", claim: second }, answer("longer"), at))
      assert.strictEqual(yield* total(tenantId, "kept_answer_bytes"), bytesOf("longer"))
      yield* transact(store.sweep(at, 100))
      assert.deepStrictEqual(yield* all(tenantId), nothing)
    })
  )

  it.effect("are exact however many transactions write side by side, and what is rolled back counts for nothing", () =>
    Effect.gen(function* () {
      const tenantId = yield* account
      const store = yield* SuppressionStore
      yield* Effect.forEach(
        Array.from({ length: 50 }, (_, n) => n),
        (n) =>
          Effect.ignore(
            transact(
              Effect.andThen(
                store.add(Rows.entry(tenantId)),
                n % 2 === 0 ? Effect.void : Effect.fail(new Error("rolled back"))
              )
            )
          ),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(yield* total(tenantId, "suppression_entries"), 25)
      assert.strictEqual(yield* read(store.count(tenantId, null)), 25)
    })
  )
})
