/**
 * What agents know, in SQL. SQLite finds passages by FTS5, Postgres by a tsvector and its GIN index; both indexes are written
 * by the database itself from the terms of a passage, see the migration. Which passage is best is not left to them: bm25()
 * counts words of all agents together, and ts_rank knows nothing of rare words. Source: docs/reference/bots.md#ranking.
 */
import {
  type Ids,
  type IndexedText,
  type KnowledgeHit,
  KnowledgeStore,
  mayBeMisspelt,
  type QueryTerm,
  rankPassages,
  spellingRanges,
  spellingsOf,
  weightOf
} from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { sql } from "kysely"
import { changed, count, insert, row, rows, write, writeRows } from "../Session.ts"
import { fieldsOf } from "../Shapes.ts"
import { page, plain, statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Entry = Database["knowledge"]
type Passage = Database["knowledgePassages"]
type OfBot = Pick<Entry, "botId">
type Terms = { terms: ReadonlyArray<string> }

/** Passages that are ranked. */
const maxCandidates = 200
/** Places at which terms are looked up, about: rare terms first, since a common one is in every passage. */
const maxLookedUp = 4000
/** Words that a misspelt one is compared with, and misspelt words of a question that this is done for. */
const maxNeighbours = 5000
const maxMisspelt = 4

/** In every entry: counts them. */
const everywhere = ""

const list = page<OfBot & { limit: number; offset: number }>("knowledge.list")((db, value) =>
  db
    .selectFrom("knowledge")
    .select(fieldsOf("knowledge"))
    .where("botId", "=", value.botId)
    .orderBy("id", "desc")
    .limit(value.limit)
    .offset(value.offset)
)

const countOf = statement<OfBot>("knowledge.count")((db, value) =>
  db
    .selectFrom("knowledge")
    .select((eb) => eb.fn.countAll().as("n"))
    .where("botId", "=", value.botId)
)

/** The empty term is in all entries of an agent. */
const countOfAccount = statement<Pick<Entry, "tenantId">>("knowledge.countOfAccount")((db, value) =>
  db
    .selectFrom("bots as b")
    .innerJoin("knowledgeTerms as t", "t.botId", "b.id")
    .select(({ fn, val }) => fn.coalesce(fn.sum<number>("t.entries"), val(0)).as("n"))
    .where("b.tenantId", "=", value.tenantId)
    .where("t.term", "=", sql.lit(everywhere))
)

const remove = statement<Pick<Entry, "id" | "botId">>("knowledge.remove")((db, value) =>
  db.deleteFrom("knowledge").where("id", "=", value.id).where("botId", "=", value.botId)
)

const removePassages = statement<Pick<Passage, "entryId" | "botId">>("knowledge.removePassages")((db, value) =>
  db
    .deleteFrom("knowledgePassages")
    .where("entryId", "=", value.entryId)
    .where("botId", "=", value.botId)
    .returning(["titleTerms", "terms"])
)

const removeAll = statement<OfBot>("knowledge.removeAll")((db, value) =>
  db.deleteFrom("knowledge").where("botId", "=", value.botId)
)

const removeAllPassages = statement<OfBot>("knowledge.removeAllPassages")((db, value) =>
  db.deleteFrom("knowledgePassages").where("botId", "=", value.botId)
)

const removeAllTerms = statement<OfBot>("knowledge.removeAllTerms")((db, value) =>
  db.deleteFrom("knowledgeTerms").where("botId", "=", value.botId)
)

const countTerms = statement<OfBot & Terms>("knowledge.countTerms")(
  plain(
    (value, dialect) => sql`
      insert into knowledge_terms (bot_id, term, entries)
      select ${dialect.cast(value.botId, "uuid")}, value, 1 from ${dialect.list(value.terms, "text")} as list where true
      on conflict (bot_id, term) do update set entries = knowledge_terms.entries + 1`
  )
)

const uncountTerms = statement<OfBot & Terms>("knowledge.uncountTerms")((db, value, dialect) =>
  db
    .updateTable("knowledgeTerms")
    .set((eb) => ({ entries: eb("entries", "-", 1) }))
    .where("botId", "=", value.botId)
    .where("term", "in", dialect.list(value.terms, "text"))
)

const forgetTerms = statement<OfBot & Terms>("knowledge.forgetTerms")((db, value, dialect) =>
  db
    .deleteFrom("knowledgeTerms")
    .where("botId", "=", value.botId)
    .where("term", "in", dialect.list(value.terms, "text"))
    .where("entries", "<=", 0)
)

const termsKnown = statement<OfBot & Terms>("knowledge.terms")((db, value, dialect) =>
  db
    .selectFrom("knowledgeTerms")
    .select(["term", "entries"])
    .where("botId", "=", value.botId)
    .where("term", "in", dialect.list(value.terms, "text"))
)

const neighbours = statement<
  OfBot & { from: string; until: string; minLength: number; maxLength: number; limit: number }
>("knowledge.neighbours")((db, value) =>
  db
    .selectFrom("knowledgeTerms")
    .select(["term", "entries"])
    .where("botId", "=", value.botId)
    .where("term", ">=", value.from)
    .where("term", "<", value.until)
    .where(sql<boolean>`length(term) between ${value.minLength} and ${value.maxLength}`)
    .orderBy("term")
    .limit(value.limit)
)

interface LookedUp {
  /** As it stands in the index. */
  readonly lexeme: string
  readonly weight: number
}

const candidates = statement<{ lexemes: ReadonlyArray<LookedUp>; limit: number }>("knowledge.candidates")(
  plain((value, dialect) => dialect.searchPassages(value.lexemes, value.limit))
)

const passagesAt = statement<OfBot & { positions: ReadonlyArray<number> }>("knowledge.passages")((db, value, dialect) =>
  db
    .selectFrom("knowledgePassages")
    .select(["entryId", "firstUnit", "endUnit", "titleTerms", "terms"])
    .select(sql<number>`position`.as("position"))
    .where(sql<boolean>`position in ${dialect.list(value.positions, "bigint")}`)
    .where("botId", "=", value.botId)
)

const entriesOf = statement<{ ids: ReadonlyArray<Ids.KnowledgeId> }>("knowledge.entries")((db, value, dialect) =>
  db.selectFrom("knowledge").select(["id", "title", "content"]).where("id", "in", dialect.list(value.ids, "uuid"))
)

/** Each term once, as a value of SQL: a term is letters and digits alone, and nothing else is in the index. */
const distinct = (terms: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(terms.filter((term) => /^[\p{L}\p{N}\p{M}]+$/u.test(term)))
]

const splitTerms = (terms: string): ReadonlyArray<string> => (terms === "" ? [] : terms.split(" "))

const find = statement<Pick<Entry, "id" | "tenantId" | "botId">>("knowledge.find")((db, value) =>
  db
    .selectFrom("knowledge")
    .select(fieldsOf("knowledge"))
    .where("id", "=", value.id)
    .where("botId", "=", value.botId)
    .where("tenantId", "=", value.tenantId)
)

const removeTerms = Effect.fnUntraced(function* ({ botId, id }: Pick<Entry, "id" | "botId">) {
  const passages = yield* writeRows(removePassages, { entryId: id, botId })
  const terms = [everywhere, ...distinct(passages.flatMap((one) => splitTerms(`${one.titleTerms} ${one.terms}`)))]
  yield* write(uncountTerms, { botId, terms })
  yield* write(forgetTerms, { botId, terms })
})

const addTerms = Effect.fnUntraced(function* (entry: Entry, { passages, titleTerms }: IndexedText) {
  const title = titleTerms.join(" ")
  yield* insert(
    "knowledgePassages",
    passages.map(({ end, start, terms }) => ({
      entryId: entry.id,
      botId: entry.botId,
      firstUnit: start,
      endUnit: end,
      titleTerms: title,
      terms: terms.join(" ")
    }))
  )
  const all = distinct([...titleTerms, ...passages.flatMap(({ terms }) => terms)])
  yield* write(countTerms, { botId: entry.botId, terms: [everywhere, ...all] })
})

const add = Effect.fnUntraced(function* (entry: Entry, text: IndexedText) {
  yield* insert("knowledge", [entry])
  yield* addTerms(entry, text)
})

/** The row is removed and added anew: the totals of the account count what is added and removed, and no changes. */
const save = Effect.fnUntraced(function* (entry: Entry, text: IndexedText) {
  yield* removeOne(entry)
  yield* add(entry, text)
})

const removeOne = Effect.fnUntraced(function* ({ botId, id }: Pick<Entry, "id" | "botId">) {
  if (!(yield* changed(remove, { botId, id }))) return false
  yield* removeTerms({ botId, id })
  return true
})

const removeEverything = Effect.fnUntraced(function* (botId: Ids.BotId) {
  yield* write(removeAll, { botId })
  yield* write(removeAllPassages, { botId })
  yield* write(removeAllTerms, { botId })
})

/** Terms of a question with their weights, misspelt ones by what they may have meant. */
const queryTerms = Effect.fnUntraced(function* (botId: Ids.BotId, terms: ReadonlyArray<string>) {
  const known = new Map<string, number>()
  const learn = (found: ReadonlyArray<{ readonly term: string; readonly entries: number }>) => {
    for (const { entries, term } of found) known.set(term, entries)
    return found.map(({ term }) => term)
  }
  learn(yield* rows(termsKnown, { botId, terms: [everywhere, ...terms] }))
  const all = known.get(everywhere) ?? 0
  if (all === 0) return { query: [], known }

  const misspelt = new Set(terms.filter((term) => !known.has(term) && mayBeMisspelt(term)).slice(0, maxMisspelt))
  const query: Array<QueryTerm> = []
  for (const term of terms) {
    if (known.has(term)) {
      query.push({ weight: weightOf(known.get(term)!, all), spellings: new Map([[term, 1]]) })
      continue
    }
    const words = new Set<string>()
    for (const place of misspelt.has(term) ? spellingRanges(term) : []) {
      for (const word of learn(yield* rows(neighbours, { botId, ...place, limit: maxNeighbours }))) words.add(word)
    }
    const spellings = spellingsOf(term, words)
    const [nearest] = spellings.keys()
    query.push({ weight: weightOf(nearest === undefined ? 0 : known.get(nearest)!, all), spellings })
  }
  return { query, known }
})

/** The terms that are looked up in the index, rare ones first. */
const lookedUp = (
  botId: Ids.BotId,
  query: ReadonlyArray<QueryTerm>,
  known: ReadonlyMap<string, number>
): ReadonlyArray<LookedUp> => {
  const scope = botId.slice(-8)
  const found = query
    .flatMap(({ spellings, weight }) => [...spellings].map(([term, close]) => ({ term, weight: weight * close })))
    .map((one) => ({ ...one, entries: known.get(one.term)! }))
    .sort((a, b) => a.entries - b.entries)
  let places = 0
  const taken = found.filter(({ entries }, i) => {
    places += entries
    return i === 0 || places <= maxLookedUp
  })
  return taken.flatMap(({ term, weight }) => [
    { lexeme: scope + term, weight },
    { lexeme: `t${scope}${term}`, weight }
  ])
}

const search = Effect.fnUntraced(function* (botId: Ids.BotId, terms: ReadonlyArray<string>, limit: number) {
  const { query, known } = yield* queryTerms(botId, distinct(terms))
  const lexemes = lookedUp(botId, query, known)
  if (lexemes.length === 0) return []
  const positions = (yield* rows(candidates, { lexemes, limit: maxCandidates })).map(({ position }) => position)
  const passages = new Map((yield* rows(passagesAt, { botId, positions })).map((one) => [one.position, one]))
  const best = rankPassages(query, [...passages.values()]).slice(0, limit)
  const ids = best.map(({ entryId }) => entryId as Ids.KnowledgeId)
  const entries = new Map((yield* rows(entriesOf, { ids })).map((entry) => [entry.id, entry]))
  const spelt = query.flatMap(({ spellings }) => [...spellings.keys()])
  return best.flatMap(({ entryId, position, score }): ReadonlyArray<KnowledgeHit> => {
    const entry = entries.get(entryId as Ids.KnowledgeId)
    const { endUnit, firstUnit } = passages.get(position)!
    // Outside a transaction each statement sees what is committed when it begins: an entry may be gone meanwhile.
    return entry === undefined ? [] : [{ ...entry, start: firstUnit, end: endUnit, terms: spelt, score }]
  })
})

export const layer = Layer.succeed(KnowledgeStore, {
  add,
  save,
  find: (entry) => row(find, entry),
  remove: removeOne,
  removeAll: removeEverything,
  list: (botId, page) => rows(list, { botId, ...page }),
  count: (botId) => count(countOf, { botId }),
  countOfAccount: (tenantId) => count(countOfAccount, { tenantId }),
  search
})
