/** What areas that write to people read of the address book, without a database; on databases: `AddressBookSuite`. */
import { describe, it } from "@effect/vitest"
import { ContactStore, PhoneNumber, SuppressionStore } from "@trunkline/core/storage"
import { AddressBook, ContactDirectory, type CrmContact } from "@trunkline/core/testing"
import { Rows } from "@trunkline/testing/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect } from "vitest"
import { Read } from "../../../src/platform/storage/index.ts"

const tenantId = Rows.id<"Account">()
const keyOf = (phone: string) => PhoneNumber.usable(phone)!.key

/** Stores that answer with everything near, and keep what they were asked for. */
const asking = ({
  listed = [],
  people = []
}: {
  readonly people?: ReadonlyArray<CrmContact>
  readonly listed?: ReadonlyArray<string>
}) => {
  const asked: Array<ReadonlyArray<PhoneNumber.KeyRange>> = []
  const answer = <A>(ranges: ReadonlyArray<PhoneNumber.KeyRange>, found: A) =>
    Effect.sync(() => {
      asked.push(ranges)
      return found
    })
  const stores = Layer.merge(
    Layer.mock(ContactStore, {
      near: (_, ranges) => answer(ranges, people),
      segment: (_, __, after, limit) =>
        Effect.succeed({ contacts: people.slice(0, limit), next: after ?? people.at(-1)!.id })
    }),
    Layer.mock(SuppressionStore, {
      keysNear: (_, ranges) => answer(ranges, listed.map(keyOf))
    })
  )
  return {
    asked,
    layer: Layer.provide(ContactDirectory.layer, stores).pipe(Layer.merge(Layer.succeed(Read, { concurrency: 1 })))
  }
}

const person = (phone: string, over: Partial<CrmContact> = {}) =>
  Rows.person(tenantId, { phone, matchKey: keyOf(phone), ...over })

describe("the directory of contacts", () => {
  it.effect("asks the store once for all numbers, and once for those that end alike", () => {
    const { asked, layer } = asking({})
    return Effect.gen(function* () {
      const book = yield* AddressBook
      const keys = ["+12125550123", "+16465550123", "5550123", "+493090182055"].map(keyOf)
      expect(yield* book.ofNumbers(tenantId, keys)).toEqual([null, null, null, null])
      expect(yield* book.doNotCall(tenantId, keys)).toEqual([false, false, false, false])
      const ranges = [
        { from: "3210555", to: "3210555:" },
        { from: "5502810", to: "5502810:" }
      ]
      expect(asked).toEqual([ranges, ranges])
    }).pipe(Effect.provide(layer))
  })

  it.effect("shows the newest of those who share a number as having agreed where one of them has", () => {
    const { layer } = asking({
      people: [person("+12125550123", { name: "older", optedIn: true }), person("5550123", { name: "newest" })],
      listed: ["5550123"]
    })
    return Effect.gen(function* () {
      const book = yield* AddressBook
      const keys = ["2125550123", "6465550123", "6465550124"].map(keyOf)
      expect((yield* book.ofNumbers(tenantId, keys)).map((one) => one && [one.name, one.optedIn])).toEqual([
        ["newest", true],
        ["newest", false],
        null
      ])
      expect(yield* book.doNotCall(tenantId, keys)).toEqual([true, true, false])
    }).pipe(Effect.provide(layer))
  })

  it.effect("shows of a person what fills a template, and nothing else", () => {
    const ada = person("+12125550123", { name: "Ada", notes: "secret", tags: ["vip"], custom: { plan: "gold" } })
    const { layer } = asking({ people: [ada] })
    return Effect.gen(function* () {
      const book = yield* AddressBook
      const everybody = { tags: [], match: "all", excludeTags: [], optedIn: false } as const
      const { entries, next } = yield* book.inSegment(tenantId, everybody, null, 10)
      expect(next).toBe(ada.id)
      expect(Object.keys(entries[0]!).sort()).toEqual([
        "company",
        "custom",
        "email",
        "firstName",
        "lastName",
        "name",
        "optedIn",
        "phone"
      ])
    }).pipe(Effect.provide(layer))
  })

  it.effect("is empty without calling", () =>
    Effect.gen(function* () {
      const book = yield* AddressBook
      expect(yield* book.ofNumbers(tenantId, [keyOf("5550123")])).toEqual([null])
      expect(yield* book.doNotCall(tenantId, [keyOf("5550123")])).toEqual([false])
    }).pipe(Effect.provideService(Read, { concurrency: 1 }))
  )
})
