/**
 * Whether a number may be called, asked of lists of 50,000 to 5,000,000 entries: the product's statement and the product's
 * service against a bare prepared point read of the same index.
 */
import { PhoneNumber, Storage, Suppression } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { database, fill, folder, readConnection } from "./Database.ts"
import { type Figure, progress, report } from "./Figures.ts"
import { product } from "./Product.ts"
import { interleaved, median, ratio, timedSync } from "./Rounds.ts"
import { accountId, entryId } from "./SeedRows.ts"

const sizes = [50_000, 500_000, 5_000_000]
const lookUps = 100_000
const plan = { rounds: 9, warmUp: 3 }

/** A number of ten digits for each index, all different and without an order: 387,420,489 is coprime to 10^10. */
const keyOf = (n: number): PhoneNumber.MatchKey =>
  PhoneNumber.as(String((BigInt(n) * 387_420_489n + 1_234_567_891n) % 10_000_000_000n).padStart(10, "0"))

/** In the order of the index, which fills it twenty times as fast as its own order of arrival would. */
const entries = function* (size: number) {
  const keys = Array.from({ length: size }, (_, n) => keyOf(n)).sort()
  for (const [n, key] of keys.entries()) {
    yield {
      id: entryId(n),
      tenant_id: accountId,
      phone: `+${[...key].reverse().join("")}`,
      match_key: key,
      reason: null,
      created_at: 0
    }
  }
}

/** Half of the numbers that are asked for are on the list. */
const questions = (size: number): ReadonlyArray<PhoneNumber.MatchKey> =>
  Array.from({ length: lookUps }, () => {
    const n = Math.floor(Math.random() * size)
    return keyOf(Math.random() < 0.5 ? n : size + n)
  })

const pointSql = "select match_key from suppression_entries where tenant_id = ? and match_key = ?"
const statementSql =
  "select match_key from suppression_entries where tenant_id = ? and match_key >= ? and match_key < ?"

const measure = async (path: string, size: number) => {
  const db = readConnection(path)
  const point = db.prepare<Array<string>>(pointSql)
  const statement = db.prepare<Array<string>>(statementSql)
  const runtime = ManagedRuntime.make(product(path))
  const { storage, suppression } = await runtime.runPromise(Effect.all({ storage: Storage, suppression: Suppression }))
  const asked = Array.from({ length: plan.rounds + plan.warmUp }, () => questions(size))
  const of = (round: number) => asked[round + plan.warmUp]!

  // As the dialer asks: from a fiber that is running already, one look after the other.
  const service = (keys: ReadonlyArray<PhoneNumber.MatchKey>) =>
    Effect.gen(function* () {
      let listed = 0
      for (const key of keys) if (yield* storage.read(suppression.listed(accountId, key))) listed += 1
      return listed
    })

  const times = await interleaved(plan, {
    point: (round) =>
      timedSync(() => {
        for (const key of of(round)) point.all(accountId, key)
      }),
    statement: (round) =>
      timedSync(() => {
        for (const key of of(round)) {
          const { from, to } = PhoneNumber.seekRange(key)
          statement.all(accountId, from, to)
        }
      }),
    service: (round) => timedSync(() => void Effect.runSync(service(of(round))))
  })
  await runtime.dispose()
  db.close()
  return times
}

const microseconds = (milliseconds: number): string => `${((milliseconds * 1000) / lookUps).toFixed(2)} µs`

/** A B-tree that does not fit its cache gets slower for everybody; flat is what costs no more than that. */
const flatness = 1.15

const main = async (): Promise<void> => {
  const home = folder(3)
  const figures: Array<Figure> = []
  const found: Array<Record<"statement" | "service", number>> = []
  for (const size of sizes) {
    const name = `${size.toLocaleString("en")} entries`
    progress(name)
    const path = await database(home, `${size}.db`)
    fill(path, { suppression_entries: () => entries(size) })
    const times = await measure(path, size)
    const against = `point read ${microseconds(median(times.point))}`
    const ratios = { statement: ratio(times, "statement", "point"), service: ratio(times, "service", "point") }
    found.push(ratios)
    for (const [way, atMost] of [
      ["statement", 1.3],
      ["service", 2]
    ] as const) {
      figures.push({
        what: `${name}: ${way}`,
        measured: microseconds(median(times[way])),
        against,
        judged: { value: ratios[way], bar: { atMost } }
      })
    }
  }
  const [smallest, largest] = [found[0]!, found.at(-1)!]
  for (const way of ["statement", "service"] as const) {
    figures.push({
      what: `flat: ${way}, in point reads`,
      measured: `${largest[way].toFixed(2)} at ${sizes.at(-1)!.toLocaleString("en")}`,
      against: `${smallest[way].toFixed(2)} at ${sizes[0]!.toLocaleString("en")}`,
      judged: { value: largest[way] / smallest[way], bar: { atMost: flatness } }
    })
  }
  report(figures)
}

await main()
