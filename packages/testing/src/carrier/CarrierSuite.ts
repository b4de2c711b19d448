/** What every carrier must do, whatever network is behind it: docs/reference/telephony.md#another-provider. */
import { assert, describe, it } from "@effect/vitest"
import {
  type CallNews,
  type CallRef,
  type CallRefused,
  type CallReport,
  type Carrier,
  type CarrierSilent,
  type Found,
  Ids,
  Instant,
  type NamedCall,
  type Permit
} from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** A carrier with a network behind it, both in the time of the test. */
export interface CarrierSubject {
  readonly carrier: Carrier["Service"]
  /** A phone that rings for more than ten seconds before anybody answers. */
  readonly slow: string
  /** A phone that is answered within five seconds, by a person who hangs up between ten seconds and a minute later. */
  readonly answered: string
  readonly caller: string | null
  /** Its calls are rows of the database, and are lost with it. */
  readonly isInDatabase?: boolean
  /** Lets time pass, for the carrier and for its network. */
  readonly pass: (ms: number) => Effect.Effect<void>
  /** The carrier does not answer the next request. */
  readonly silence: Effect.Effect<void>
}

const ids = Ids.ascending()

/** Declares the tests for one carrier. */
export const carrierSuite = <E>(name: string, subject: Effect.Effect<CarrierSubject, E, Scope.Scope>): void => {
  describe(`the carrier ${name}`, () => {
    const test = (title: string, run: (stage: Stage) => Effect.Effect<void, unknown, Scope.Scope>) =>
      it.effect(title, () => Effect.flatMap(Effect.map(subject, stageOf), run))

    test("finds a call by its own id, in the state in which it is", ({ carrier, pass, place, slow }) =>
      Effect.gen(function* () {
        const ref = yield* place(slow)
        yield* pass(5000)
        const { callId, providerCallId } = ref
        assert.deepInclude(recordIn(yield* carrier.find(ref)), { callId, providerCallId, news: { _tag: "Ringing" } })
        yield* pass(Instant.minute)
      }))

    test("finds a call whose id never reached us, or what may be it", ({ carrier, pass, place, slow }) =>
      Effect.gen(function* () {
        const ref = yield* place(slow)
        yield* pass(5000)
        const found = yield* carrier.find({ ...ref, providerCallId: null })
        assert.deepStrictEqual(reportsIn(found).map(identity), [identity(ref)])
      }))

    test("finds a call that the database has lost by its numbers, where it can be asked so", ({
      carrier,
      isInDatabase = false,
      pass,
      place,
      refOf,
      slow
    }) =>
      Effect.gen(function* () {
        const lost = yield* place(slow)
        yield* pass(5000)
        if (carrier.findAll === undefined) return
        const found = yield* carrier.findAll(yield* refOf(slow))
        const expected = isInDatabase ? [] : [lost.providerCallId]
        assert.deepStrictEqual(
          found.map(({ providerCallId }) => providerCallId),
          expected
        )
      }))

    test("says of an order that it never got that there is nothing", ({ carrier, refOf, slow }) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* carrier.find(yield* refOf(slow)), { _tag: "Nothing" })
      }))

    test("names no other call to the same number for an order that it never got", ({
      carrier,
      pass,
      place,
      refOf,
      slow
    }) =>
      Effect.gen(function* () {
        const other = yield* place(slow)
        yield* pass(5000)
        const found = yield* carrier.find(yield* refOf(slow))
        assert.notStrictEqual(found._tag, "Record")
        for (const { providerCallId } of reportsIn(found)) assert.strictEqual(providerCallId, other.providerCallId)
      }))

    test("cancels a call that nobody has answered, and says so", ({ carrier, pass, place, slow }) =>
      Effect.gen(function* () {
        const ref = yield* place(slow)
        yield* pass(5000)
        assert.strictEqual(endOf(yield* carrier.end(ref, { isAnswered: false })), "canceled")
        assert.strictEqual(endOf(recordIn(yield* carrier.find(ref))), "canceled")
      }))

    for (const known of [true, false]) {
      const title = known ? "hangs up an answered call" : "hangs up a call whose answer we have not heard of"
      test(`${title}, and says so`, ({ answered, carrier, pass, place }) =>
        Effect.gen(function* () {
          const ref = yield* place(answered)
          yield* pass(8000)
          assert.strictEqual(endOf(yield* carrier.end(ref, { isAnswered: known })), "completed")
          assert.strictEqual(endOf(recordIn(yield* carrier.find(ref))), "completed")
        }))
    }

    // Verifies: D-259.
    test("answers a request to end a call that is over with the record of its end", ({
      answered,
      carrier,
      pass,
      place
    }) =>
      Effect.gen(function* () {
        const ref = yield* place(answered)
        yield* pass(90_000)
        const record = recordIn(yield* carrier.find(ref))
        assert.strictEqual(endOf(record), "completed")
        for (const known of [true, false])
          assert.deepStrictEqual(yield* carrier.end(ref, { isAnswered: known }), record)
      }))

    test("says of no call that it does not know that it has ended", ({ carrier, refOf, slow }) =>
      Effect.gen(function* () {
        const unknown = { ...(yield* refOf(slow)), providerCallId: "CAffffffffffffffffffffffffffffffff" }
        const said = yield* Effect.catch(carrier.end(unknown, { isAnswered: false }), () => Effect.succeed(null))
        assert.isNull(said)
      }))

    test("does not answer for what it was not asked", ({ carrier, pass, place, silence, slow }) =>
      Effect.gen(function* () {
        const ref = yield* place(slow)
        yield* pass(5000)
        yield* silence
        assert.strictEqual((yield* Effect.flip(carrier.find(ref)))._tag, "CarrierSilent")
        yield* silence
        assert.strictEqual((yield* Effect.flip(carrier.end(ref, { isAnswered: false })))._tag, "CarrierSilent")
        yield* silence
        assert.strictEqual((yield* Effect.flip(place(slow)))._tag, "CarrierSilent")
      }))
  })
}

interface Stage extends CarrierSubject {
  /** A call that the carrier is about to be asked for. */
  readonly refOf: (to: string) => Effect.Effect<CallRef>
  readonly place: (to: string) => Effect.Effect<NamedCall, CallRefused | CarrierSilent>
}

const stageOf = (subject: CarrierSubject): Stage => {
  const { caller: from, carrier } = subject
  const refOf = (to: string): Effect.Effect<CallRef> =>
    Effect.map(Instant.now, (askedAt) => ({
      callId: Ids.as(ids.next(askedAt)),
      providerCallId: null,
      to,
      from,
      askedAt
    }))
  const place = Effect.fnUntraced(function* (to: string) {
    const ref = yield* refOf(to)
    const { providerCallId } = yield* carrier.place({
      callId: ref.callId,
      tenantId: Ids.as("01890000-0000-7000-8000-0000000000aa"),
      botId: null,
      to,
      from,
      answer: { _tag: "Say", text: "Hello", language: null },
      detectMachine: false
      // Only the placing of calls makes permits (Permit.test.ts); this stands in for it.
    } as unknown as Permit)
    return { ...ref, providerCallId }
  })
  return { ...subject, refOf, place }
}

const identity = ({ callId, providerCallId }: Pick<CallReport | NamedCall, "callId" | "providerCallId">) => [
  callId,
  providerCallId
]

const reportsIn = (found: Found): ReadonlyArray<CallReport> =>
  found._tag === "Record" ? [found.report] : found._tag === "Candidates" ? found.reports : []

const recordIn = (found: Found): CallReport => {
  assert.strictEqual(found._tag, "Record")
  return reportsIn(found)[0]!
}

const endOf = (report: CallReport | null): string | undefined => {
  const news: CallNews | undefined = report?.news
  return news?._tag === "Ended" ? news.status : undefined
}
