/** What is known of templates, on a database. Verifies: TPL-1. */
import { assert } from "@effect/vitest"
import { read, transact } from "@trunkline/core/effect"
import { type KnownTemplate, KnownTemplateStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import { tenantId } from "./ChatRows.ts"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

const ownerOf = ({ businessAccountId, channel, tenantId }: KnownTemplate) => ({ businessAccountId, channel, tenantId })

const save = (...templates: ReadonlyArray<KnownTemplate>) =>
  transact(KnownTemplateStore.use((store) => Effect.forEach(templates, store.save, { discard: true })))

const among = (template: KnownTemplate, ...ids: ReadonlyArray<string>) =>
  Effect.map(read(KnownTemplateStore.use((store) => store.among(ownerOf(template), ids))), (found) =>
    found.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  )

export const knownTemplates = suite("known templates", ({ it }) => {
  it.effect("a template is read as it was written, by its own account and business account alone", () =>
    Effect.gen(function* () {
      const own = tenantId()
      const full = Rows.knownTemplate(own, {
        components: [{ type: "BODY", text: "Your order {{1}} is on its way. é 👍" }],
        rejection: { reason: "a reason" },
        reason: "INVALID_FORMAT",
        disableAt: Rows.at(9),
        reportedAt: Rows.at(2),
        readDueAt: Rows.at(10_000_000)
      })
      const bare = Rows.knownTemplate(own, { id: "2", name: null, language: null, status: null, category: null })
      const foreign = Rows.knownTemplate(tenantId(), { id: full.id, name: "another" })
      const elsewhere = Rows.knownTemplate(own, { id: full.id, businessAccountId: "2", name: "elsewhere" })
      const ofChannel = Rows.knownTemplate(own, { id: full.id, channel: "other", name: "of another channel" })
      yield* save(full, bare, foreign, elsewhere, ofChannel)
      assert.deepStrictEqual(yield* among(full, full.id, "2", "nobody's"), [full, bare])
      for (const one of [foreign, elsewhere, ofChannel]) assert.deepStrictEqual(yield* among(one, one.id), [one])
      assert.deepStrictEqual(yield* among(full), [])
    })
  )

  it.effect("a template that is saved again is written anew, nulls too", () =>
    Effect.gen(function* () {
      const first = Rows.knownTemplate(tenantId(), { quality: "GREEN", reason: "NONE" })
      const next = {
        ...first,
        status: "REJECTED",
        quality: null,
        reason: "TAG_CONTENT_MISMATCH",
        updatedAt: Rows.at(5)
      }
      yield* save(first, next)
      assert.deepStrictEqual(yield* among(first, first.id), [next])
    })
  )

  it.effect("one language of a template is forgotten by its id, and every language by its name", () =>
    Effect.gen(function* () {
      const store = yield* KnownTemplateStore
      const own = tenantId()
      const [english, german, other] = [
        Rows.knownTemplate(own, { id: "1", name: "welcome", language: "en" }),
        Rows.knownTemplate(own, { id: "2", name: "welcome", language: "de" }),
        Rows.knownTemplate(own, { id: "3", name: "other" })
      ]
      const foreign = Rows.knownTemplate(tenantId(), { id: "1", name: "welcome" })
      yield* save(english, german, other, foreign)
      yield* transact(store.remove(ownerOf(english), { name: "welcome", id: "1" }))
      assert.deepStrictEqual(yield* among(english, "1", "2", "3"), [german, other])
      yield* transact(store.remove(ownerOf(english), { name: "welcome", id: null }))
      assert.deepStrictEqual(yield* among(english, "1", "2", "3"), [other])
      assert.deepStrictEqual(yield* among(foreign, "1"), [foreign])
    })
  )

  it.effect("of templates that are due each is taken once, and again once its claim has lapsed", () =>
    Effect.gen(function* () {
      const store = yield* KnownTemplateStore
      const own = tenantId()
      const due = Array.from({ length: 6 }, (_, nth) =>
        Rows.knownTemplate(own, { id: String(nth), readDueAt: Rows.at(nth - 1_000_000) })
      )
      const later = Rows.knownTemplate(own, { id: "later", readDueAt: Rows.at(-500_000) })
      yield* save(...due, later, Rows.knownTemplate(own, { id: "never" }))
      const [first] = due
      assert.strictEqual(yield* read(store.nextRead), first?.readDueAt)
      const at = Rows.at(-600_000)
      const until = Rows.at(-550_000)
      const taken = yield* Effect.all(
        Array.from({ length: 4 }, () => transact(store.claimReads(at, until, 2))),
        { concurrency: "unbounded" }
      )
      const ids = taken
        .flat()
        .filter((one) => one.tenantId === own)
        .map(({ id }) => id)
      assert.sameMembers(ids, ["0", "1", "2", "3", "4", "5"])
      assert.strictEqual(yield* read(store.nextRead), until)
      const again = yield* transact(store.claimReads(until, Rows.at(-400_000), 100))
      assert.strictEqual(again.filter((one) => one.tenantId === own).length, 6)
      yield* save(...[...due, later].map((one) => ({ ...one, readDueAt: null })))
      assert.notStrictEqual(yield* read(store.nextRead), later.readDueAt)
    })
  )

  it.effect("a template is found by its name and language: of several the one that was written last", () =>
    Effect.gen(function* () {
      const store = yield* KnownTemplateStore
      const own = tenantId()
      const older = Rows.knownTemplate(own, { id: "1", name: "welcome", language: "en" })
      const newer = Rows.knownTemplate(own, { id: "2", name: "welcome", language: "en", updatedAt: Rows.at(5) })
      const german = Rows.knownTemplate(own, { id: "3", name: "welcome", language: "de" })
      yield* save(older, newer, german, Rows.knownTemplate(tenantId(), { name: "welcome", language: "en" }))
      assert.deepStrictEqual(yield* read(store.named(ownerOf(older), "welcome", "en")), newer)
      assert.deepStrictEqual(yield* read(store.named(ownerOf(older), "welcome", "de")), german)
      assert.isNull(yield* read(store.named(ownerOf(older), "welcome", "fr")))
    })
  )
})
