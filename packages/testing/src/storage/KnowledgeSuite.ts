/**
 * What an agent knows is found by questions in ordinary words, by that agent alone, and goes with it.
 * Verifies: BOTS-1, BOTS-4, BOTS-5, BOTS-6.
 */
import { assert } from "@effect/vitest"
import { type Bot, Bots, Ids, Knowledge, read, transact } from "@trunkline/core/effect"
import { BotStore, KnowledgeStore, StorageError } from "@trunkline/core/storage"
import { BotWatcher, CampaignUses, indexText, type Stores, Vault } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { unicodeText } from "../UnicodeText.ts"
import { auditingAccounts } from "./AuditingAccounts.ts"
import { entries, questions, unanswerable } from "./KnowledgeQuestions.ts"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

const vault = Vault.layer("a key for the secrets of this test")
const services = Layer.provideMerge(
  Knowledge.layer,
  Layer.provide(Bots.layer, Layer.mergeAll(auditingAccounts, CampaignUses.layer, vault))
)

const addBot = (over: Partial<Bot> = {}) =>
  Effect.gen(function* () {
    const bot = Rows.bot(Rows.id(), over)
    yield* transact(BotStore.use((store) => store.add(bot)))
    return bot
  })

const learn = ({ id, tenantId }: Bot, title: string, content: string) =>
  Knowledge.use((knowledge) => knowledge.add(tenantId, id, { title, content }))

const ask = ({ id }: Bot, question: string, limit = 5) =>
  Knowledge.use((knowledge) => knowledge.search(id, question, limit))

const titlesOf = (bot: Bot, question: string) =>
  Effect.map(ask(bot, question), (found) => found.map(({ title }) => title))

const countOf = ({ id }: Bot) => read(KnowledgeStore.use((store) => store.count(id)))

const forget = ({ id, tenantId }: Bot, entry: Ids.KnowledgeId) =>
  Knowledge.use((knowledge) => knowledge.remove(tenantId, id, entry))

/** Adds the labelled set to the knowledge of an agent; returns the key of each entry by its id. */
const learnAll = Effect.fnUntraced(function* (bot: Bot) {
  const keys = new Map<string, string>()
  for (const { content, key, title } of entries) keys.set((yield* learn(bot, title, content)).id, key)
  return keys
})

const percent = (part: number, of: number): number => Math.round((1000 * part) / of) / 10

/** Texts that somebody may type, some of them with what query languages are made of. */
const typed = fc.oneof(
  unicodeText({ maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc
    .array(
      fc.constantFrom(
        ...[
          "kettle",
          "returns",
          '"',
          "'",
          "''",
          "\\",
          "\\'",
          "*",
          "^",
          "(",
          ")",
          ":",
          "-",
          "+",
          "|",
          "&",
          "!",
          "<->",
          "%",
          "_",
          "?",
          "$1"
        ],
        ...[
          "AND",
          "OR",
          "NOT",
          "NEAR(",
          "NEAR/2",
          "title:",
          "terms:",
          "{a b}",
          ":*",
          ";--",
          "\0",
          "\ud800",
          "'a' & 'b'",
          "E'\\'",
          "x".repeat(5000)
        ]
      ),
      { maxLength: 12 }
    )
    .chain((parts) => fc.constantFrom(parts.join(" "), parts.join("")))
)

export const knowledge = suite("what agents know", ({ it, sideBySide }) => {
  const test = (name: string, body: () => Effect.Effect<void, unknown, Stores | Bots | Knowledge>, timeout?: number) =>
    it.effect(name, () => Effect.provide(body(), services), timeout)

  // Verifies: M-17, N-4.
  test("is found by questions in ordinary words", () =>
    Effect.gen(function* () {
      const bot = yield* addBot()
      const keys = yield* learnAll(bot)
      const missed: Array<string> = []
      let [first, third] = [0, 0]
      for (const { answers, kind, question } of questions) {
        const found = (yield* ask(bot, question, 3)).map(({ id }) => keys.get(id)!)
        const place = found.findIndex((key) => answers.includes(key))
        if (place === 0) first += 1
        if (place >= 0) third += 1
        if (place !== 0) missed.push(`${kind}: ${question} -> ${found.join(", ")}`)
      }
      const figures = `hit@1 ${percent(first, questions.length)} %, hit@3 ${percent(third, questions.length)} %`
      // For a person who changes a weight.
      console.log(`${questions.length} questions to ${entries.length} entries: ${figures}\n  ${missed.join("\n  ")}`)
      assert.isAtLeast(percent(first, questions.length), 80, figures)
      assert.isAtLeast(percent(third, questions.length), 92, figures)
    }))

  test("scores below a quarter where it only happens to have a word of the question", () =>
    Effect.gen(function* () {
      const bot = yield* addBot()
      yield* learnAll(bot)
      for (const question of unanswerable) {
        const [best] = yield* ask(bot, question, 1)
        assert.isBelow(best?.score ?? 0, 0.25, `${question} -> ${best?.title}`)
      }
      for (const question of ["", "  \n", "?!", "😀"]) {
        assert.deepStrictEqual(yield* ask(bot, question), [], question)
      }
      assert.deepStrictEqual(yield* ask(bot, "zzyzx"), [])
      for (const { score } of yield* ask(bot, "kettle kettle kettle")) {
        assert.isAbove(score, 0)
        assert.isBelow(score, 1)
      }
    }))

  // Verifies: N-4.
  test("is searched by whatever anybody types, and never by a query", () =>
    Effect.gen(function* () {
      const bot = yield* addBot()
      yield* learn(bot, "Kettle", "Returns of a kettle.")
      const store = yield* KnowledgeStore
      for (const text of fc.sample(typed, { numRuns: 150, seed: 11 })) {
        yield* ask(bot, text)
        yield* read(store.search(bot.id, [text, ...text.split(" ")], 5))
      }
      assert.deepStrictEqual(yield* titlesOf(bot, `kettle" OR 1=1; -- ' \\ * (`), ["Kettle"])
      assert.deepStrictEqual(yield* read(store.search(bot.id, ["kett*", "kettl:*", "'", "a b", ""], 5)), [])
    }))

  test("weighs rare words more than common ones, and the title more than the content", () =>
    Effect.gen(function* () {
      const bot = yield* addBot()
      for (let i = 0; i < 8; i++) yield* learn(bot, `Model ${i}`, "This lamp comes with a bulb. A bulb fits any lamp.")
      yield* learn(bot, "Model 8", "It is dimmable, and stands on tables or shelves or floors.")
      assert.strictEqual((yield* titlesOf(bot, "a lamp with a bulb that is dimmable"))[0], "Model 8")
      yield* learn(bot, "On switches", "A dimmable bulb needs a switch for it.")
      yield* learn(bot, "Dimmable bulbs", "They need a switch that is made for them, or else they flicker.")
      assert.strictEqual((yield* titlesOf(bot, "dimmable"))[0], "Dimmable bulbs")
    }))

  test("is found by its title, or by one rare word, among hundreds of entries that have the common ones", () =>
    Effect.gen(function* () {
      const bot = yield* addBot()
      yield* learn(bot, "Refunds", "Money is paid back within a week of the day on which the goods have reached us.")
      yield* learn(bot, "Payment", "A refund of Hong Kong dollars is converted on the day.")
      const store = yield* KnowledgeStore
      const row = (i: number) => ({
        tenantId: bot.tenantId,
        botId: bot.id,
        createdAt: Rows.at(i),
        title: `Article ${i}`
      })
      yield* transact(
        Effect.forEach(Array.from({ length: 300 }), (_, i) => {
          const entry = { ...row(i), id: Rows.id<"Knowledge">(), content: "There is a refund. A refund is paid." }
          return store.add(entry, indexText(entry.title, entry.content))
        })
      )
      assert.strictEqual((yield* titlesOf(bot, "refund"))[0], "Refunds")
      assert.strictEqual((yield* titlesOf(bot, "a refund that is paid in dollars"))[0], "Payment")
    }))

  test("is found by words that every question has when there are no others", () =>
    Effect.gen(function* () {
      const bot = yield* addBot()
      yield* learn(bot, "The Who", "A band from London.")
      yield* learn(bot, "Kettles", "They boil.")
      assert.deepStrictEqual(yield* titlesOf(bot, "who are the who?"), ["The Who"])
    }))

  test("is returned newest first where entries answer equally well", () =>
    Effect.gen(function* () {
      const bot = yield* addBot()
      const [old, young] = [yield* learn(bot, "Shoes", "Size 41"), yield* learn(bot, "Shoes", "Size 41")]
      yield* learn(bot, "Hats", "Size 58")
      const found = yield* ask(bot, "shoes")
      assert.deepStrictEqual(
        found.map(({ id }) => id),
        [young.id, old.id]
      )
      assert.strictEqual(found[0]!.score, found[1]!.score)
      assert.lengthOf(yield* ask(bot, "shoes", 1), 1)
    }))

  test("is found at the end of the longest text, and the part that answers is shown", () =>
    Effect.gen(function* () {
      const bot = yield* addBot()
      const filler = "The handbook describes cleaning, storage and transport of each machine in turn. "
      const answer = "The fuse of the centrifuge is behind the green flap and is rated at four amperes."
      const content = `${filler.repeat(1240)}${answer}`.slice(-100_000)
      const { id } = yield* learn(bot, "Handbook", content)
      yield* learn(bot, "Machines", "Cleaning of machines is described in the handbook.")
      const [best] = yield* ask(bot, "where do I find the centrifuge's fuse?")
      assert.strictEqual(best?.id, id)
      assert.include(best?.snippet, answer)
      assert.isAtMost(best!.snippet.length, 600)
      const listed = yield* Knowledge.use((knowledge) => knowledge.list(bot.tenantId, bot.id, { limit: 9, offset: 0 }))
      assert.strictEqual(listed.items.find((entry) => entry.id === id)?.content, content)
    }))

  test("looks for a word that it does not have in the nearest spelling, and for a code never", () =>
    Effect.gen(function* () {
      const bot = yield* addBot()
      yield* learn(bot, "Thermometers", "Ear thermometer with a battery, article 471100.")
      yield* learn(bot, "Pillows", "Feather pillow, article PL-4811.")
      assert.deepStrictEqual(yield* titlesOf(bot, "termometer"), ["Thermometers"])
      assert.deepStrictEqual(yield* titlesOf(bot, "pilows"), ["Pillows"])
      assert.deepStrictEqual(yield* titlesOf(bot, "471100"), ["Thermometers"])
      assert.deepStrictEqual(yield* titlesOf(bot, "471101"), [])
      assert.deepStrictEqual(yield* titlesOf(bot, "PL-4812"), ["Pillows"], "by the piece that is the same")
    }))

  test("is its own agent's, whatever other agents know and however alike their ids are", () =>
    Effect.gen(function* () {
      const id = () => Ids.as<"Bot">(`${Rows.id<"Bot">().slice(0, -8)}0000beef`)
      const [ours, theirs] = [yield* addBot({ id: id() }), yield* addBot({ id: id() })]
      yield* learn(ours, "Our secret", "The password of the vault is swordfish.")
      for (let i = 0; i < 20; i++) yield* learn(theirs, "Their vault", "Vaults, passwords and locks.")
      assert.deepStrictEqual(yield* titlesOf(ours, "vault password"), ["Our secret"])
      assert.notInclude(yield* titlesOf(theirs, "swordfish vault password"), "Our secret")
      assert.deepStrictEqual(yield* ask(yield* addBot(), "vault"), [])
      assert.deepStrictEqual(yield* ask(theirs, "swordfish"), [])
    }))

  test("is read, listed and removed by its account alone, and through its own agent", () =>
    Effect.gen(function* () {
      const knowledge = yield* Knowledge
      const [bot, second] = [yield* addBot(), yield* addBot()]
      const stranger = Rows.id<"Account">()
      const added = [
        yield* learn(bot, "One", "first"),
        yield* learn(bot, "Two", "second"),
        yield* learn(bot, "Three", "third")
      ]
      const page = { limit: 2, offset: 1 }
      assert.deepStrictEqual(yield* knowledge.list(bot.tenantId, bot.id, page), {
        items: [added[1]!, added[0]!],
        total: 3
      })
      const refused = [
        yield* Effect.flip(knowledge.add(stranger, bot.id, { title: "x", content: "x" })),
        yield* Effect.flip(knowledge.list(stranger, bot.id, page)),
        yield* Effect.flip(knowledge.remove(stranger, bot.id, added[0]!.id)),
        yield* Effect.flip(knowledge.add(bot.tenantId, Rows.id(), { title: "x", content: "x" }))
      ]
      assert.deepStrictEqual(
        refused.map(({ _tag }) => _tag),
        ["BotNotFound", "BotNotFound", "BotNotFound", "BotNotFound"]
      )
      const elsewhere = [
        yield* Effect.flip(knowledge.remove(second.tenantId, second.id, added[0]!.id)),
        yield* Effect.flip(knowledge.remove(bot.tenantId, bot.id, Rows.id()))
      ]
      assert.deepStrictEqual(
        elsewhere.map(({ _tag }) => _tag),
        ["KnowledgeNotFound", "KnowledgeNotFound"]
      )
      assert.strictEqual(yield* countOf(bot), 3)
    }))

  test("is forgotten with its entry, as if it had never been", () =>
    Effect.gen(function* () {
      const bot = yield* addBot()
      yield* learn(bot, "Lamps", "A lamp for tables.")
      yield* learn(bot, "Bulbs", "A bulb for lamps.")
      const before = yield* ask(bot, "which bulb fits a lamp")
      const gone = yield* Effect.forEach(["Lamp shades", "Lamps and bulbs", "Halogen"], (title) =>
        learn(bot, title, "Shades and bulbs of halogen for a lamp.")
      )
      assert.notDeepEqual(yield* ask(bot, "which bulb fits a lamp"), before)
      yield* Effect.forEach(gone, ({ id }) => forget(bot, id))
      assert.deepStrictEqual(yield* ask(bot, "which bulb fits a lamp"), before)
      assert.deepStrictEqual(yield* ask(bot, "halogen"), [])
      const typo = yield* learn(bot, "Thermomter", "A thermomter.")
      yield* learn(bot, "Thermometer", "A thermometer.")
      yield* forget(bot, typo.id)
      assert.deepStrictEqual(yield* titlesOf(bot, "thermomter"), ["Thermometer"], "nor is its spelling remembered")
      assert.strictEqual(yield* countOf(bot), 3)
      yield* learn(bot, "Candles", "A candle needs no bulb.")
      assert.deepStrictEqual(yield* ask(bot, "halogen"), [], "nor by what comes into its place")
      assert.deepStrictEqual(yield* titlesOf(bot, "candle"), ["Candles"])
      const again = yield* Effect.flip(forget(bot, gone[0]!.id))
      assert.strictEqual(again._tag, "KnowledgeNotFound")
    }))

  // Verifies: B-711.
  test("is found by its new words at once when it is changed, and by the former ones no more", () =>
    Effect.gen(function* () {
      const knowledge = yield* Knowledge
      const bot = yield* addBot()
      const kept = yield* learn(bot, "Lamps", "A lamp for tables.")
      const entry = yield* learn(bot, "Halogen", "Shades of halogen for a lamp.")
      const fresh = yield* addBot()
      yield* learn(fresh, "Lamps", "A lamp for tables.")
      yield* learn(fresh, "Candles", "A candle needs no bulb.")
      const titled = yield* knowledge.change(bot.tenantId, bot.id, entry.id, { title: "Candles" })
      assert.deepStrictEqual(titled, { ...entry, title: "Candles" })
      assert.deepStrictEqual(yield* titlesOf(bot, "halogen shades"), ["Candles"])
      const content = "A candle needs no bulb."
      const changed = yield* knowledge.change(bot.tenantId, bot.id, entry.id, { content })
      assert.deepStrictEqual(changed, { ...entry, title: "Candles", content })
      assert.deepStrictEqual(yield* titlesOf(bot, "halogen"), [])
      // It ranks as if it had never been another.
      for (const question of ["which candle needs a bulb", "a lamp for tables", "candel"]) {
        const scoresOf = (of: Bot) => Effect.map(ask(of, question), (found) => found.map(({ score }) => score))
        assert.deepStrictEqual(yield* scoresOf(bot), yield* scoresOf(fresh), question)
      }
      const { items } = yield* knowledge.list(bot.tenantId, bot.id, { limit: 9, offset: 0 })
      assert.deepStrictEqual(items, [changed, kept])
      assert.strictEqual(yield* countOf(bot), 2)
      for (const [tenantId, botId, id, tag] of [
        [Rows.id<"Account">(), bot.id, entry.id, "BotNotFound"],
        [fresh.tenantId, fresh.id, entry.id, "KnowledgeNotFound"]
      ] as const) {
        assert.strictEqual((yield* Effect.flip(knowledge.change(tenantId, botId, id, { content })))._tag, tag)
      }
    }))

  test("goes with its agent, and nothing of another agent's does", () =>
    Effect.gen(function* () {
      const bots = yield* Bots
      const [bot, other] = [yield* addBot(), yield* addBot()]
      yield* learn(bot, "Lamps with a shade", "A lamp, a shade.")
      yield* learn(other, "Lamps", "A lamp for walls.")
      assert.strictEqual((yield* Effect.flip(bots.remove(other.tenantId, bot.id)))._tag, "BotNotFound")
      yield* bots.remove(bot.tenantId, bot.id)
      assert.isNull(yield* read(bots.find(bot.tenantId, bot.id)))
      assert.strictEqual(yield* countOf(bot), 0)
      assert.deepStrictEqual(yield* ask(bot, "lamp"), [])
      assert.deepStrictEqual(yield* ask(bot, "lapms"), [])
      assert.lengthOf(yield* ask(other, "lamp"), 1)
      assert.strictEqual((yield* Effect.flip(bots.remove(bot.tenantId, bot.id)))._tag, "BotNotFound")
      assert.strictEqual((yield* Effect.flip(learn(bot, "Late", "too late")))._tag, "BotNotFound")
      // Nobody gets an id again; but what was left behind would be found under it.
      const [again, fresh] = [yield* addBot({ id: bot.id }), yield* addBot()]
      for (const one of [again, fresh]) yield* learn(one, "Shades", "A shade is put over the bulb of a lamp.")
      for (const question of ["a shade for lamps", "a shade for the bulb"]) {
        const scoresOf = (of: Bot) => Effect.map(ask(of, question, 1), (found) => found.map(({ score }) => score))
        assert.lengthOf(yield* scoresOf(again), 1)
        assert.deepStrictEqual(yield* scoresOf(again), yield* scoresOf(fresh))
      }
    }))

  it.effect("stays with an agent whose numbers cannot be let go of", () =>
    Effect.gen(function* () {
      const bot = yield* addBot()
      const removed: Array<string> = []
      const failing: BotWatcher = {
        removed: (tenantId, id) =>
          Effect.andThen(
            Effect.sync(() => removed.push(`${tenantId} ${id}`)),
            Effect.fail(new StorageError({ reason: "defect", detail: "no" }))
          )
      }
      yield* Effect.gen(function* () {
        yield* learn(bot, "Lamps", "A lamp for tables.")
        const result = yield* Effect.result(Bots.use((bots) => bots.remove(bot.tenantId, bot.id)))
        assert.isTrue(Result.isFailure(result))
        assert.deepStrictEqual(removed, [`${bot.tenantId} ${bot.id}`])
        assert.strictEqual((yield* Bots.use((bots) => bots.get(bot.tenantId, bot.id))).id, bot.id)
        assert.deepStrictEqual(yield* titlesOf(bot, "lamp"), ["Lamps"])
      }).pipe(Effect.provide(Layer.provide(services, Layer.succeed(BotWatcher, failing))))
    })
  )

  test("an agent is changed in what is given, and in nothing else", () =>
    Effect.gen(function* () {
      const bots = yield* Bots
      const [bot, other] = [yield* addBot({ config: { model: "m" } }), yield* addBot()]
      const change = { name: "Bina", systemPrompt: "Be brief.", isActive: false }
      const changed = yield* bots.change(bot.tenantId, bot.id, change)
      assert.deepStrictEqual(changed, { ...bot, ...change, updatedAt: changed.updatedAt })
      assert.deepStrictEqual(yield* bots.get(bot.tenantId, bot.id), changed)
      const replaced = yield* bots.change(bot.tenantId, bot.id, { config: { language: "hi" }, systemPrompt: null })
      assert.deepStrictEqual(replaced.config, { language: "hi" })
      assert.isNull(replaced.systemPrompt)
      assert.deepStrictEqual(yield* bots.get(other.tenantId, other.id), other)
      assert.strictEqual((yield* Effect.flip(bots.change(other.tenantId, bot.id, change)))._tag, "BotNotFound")
    }))

  sideBySide("counts its words rightly however many entries come and go at once", () =>
    Effect.gen(function* () {
      const [bot, quiet] = [yield* addBot(), yield* addBot()]
      const texts = Array.from(
        { length: 12 },
        (_, i) => `Lamp number ${i} with a bulb, a cord and a provider of kind ${i % 3}`
      )
      yield* Effect.forEach(texts.slice(0, 4), (text) => learn(quiet, "Lamp", text))
      const all = yield* Effect.forEach(texts, (text) => learn(bot, "Lamp", text), { concurrency: "unbounded" })
      const late = all.slice(4)
      yield* Effect.forEach(late, ({ id }) => forget(bot, id), { concurrency: "unbounded" })
      const scores = (of: Bot) => Effect.map(ask(of, "lamp with cord 1"), (found) => found.map(({ score }) => score))
      assert.deepStrictEqual(yield* scores(bot), yield* scores(quiet))
    }).pipe(Effect.provide(services))
  )

  sideBySide("nothing is added to an agent that is removed meanwhile", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 5; round++) {
        const bot = yield* addBot()
        yield* Effect.all(
          [
            ...Array.from({ length: 6 }, (_, i) => Effect.result(learn(bot, `Lamp ${i}`, "A lamp."))),
            Bots.use((bots) => bots.remove(bot.tenantId, bot.id))
          ],
          { concurrency: "unbounded" }
        )
        assert.strictEqual(yield* countOf(bot), 0)
        assert.deepStrictEqual(yield* ask(bot, "lamp"), [])
      }
    }).pipe(Effect.provide(services))
  )
})
