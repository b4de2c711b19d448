/** Counts of messages by interval, on a database. Verifies: ANLY-1. */
import { assert } from "@effect/vitest"
import { Instant, read, transact } from "@trunkline/core/effect"
import {
  ConnectedNumberStore,
  DeliveryCountStore,
  type DeliveryFilter,
  type Message,
  MessageStore,
  type StatusCount,
  TemplateContactStore
} from "@trunkline/core/storage"
import { type DeliveryInterval, dividedPeriod } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { tenantId } from "./ChatRows.ts"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

const everything: DeliveryFilter = { phoneNumberId: null, campaignId: null, type: null }

const instant = (text: string) => Instant.parse(text)!

/** Periods in which zones change their clocks, and zones of half and quarter hours. */
const periods: ReadonlyArray<readonly [zone: string, interval: DeliveryInterval, from: string, days: number]> = [
  ["UTC", "day", "2026-11-01T00:00:00Z", 5],
  ["Asia/Kolkata", "hour", "2026-11-01T10:07:31.123Z", 2],
  ["Asia/Kathmandu", "hour", "2026-11-01T10:00:00Z", 1],
  ["Asia/Kathmandu", "day", "2026-11-01T00:00:00Z", 4],
  ["Australia/Lord_Howe", "hour", "2026-04-04T00:00:00Z", 2],
  ["Europe/Paris", "day", "2026-10-23T22:00:00Z", 4],
  ["America/New_York", "hour", "2026-03-08T00:00:00Z", 1],
  ["Asia/Kolkata", "total", "2026-11-01T10:07:31.123Z", 3]
]

/** In an order that every database can be compared with. */
const sorted = (counts: ReadonlyArray<StatusCount>): ReadonlyArray<StatusCount> =>
  [...counts].sort((a, b) => a.place - b.place || a.status.localeCompare(b.status) || (a.code ?? -1) - (b.code ?? -1))

const add = (...messages: ReadonlyArray<Message>) =>
  transact(MessageStore.use((store) => Effect.forEach(messages, store.add, { discard: true })))

const connect = (over: Parameters<typeof Rows.number>[1] = {}, own = tenantId()) =>
  Effect.tap(
    Effect.sync(() => Rows.number(own, over)),
    (number) => transact(ConnectedNumberStore.use((store) => store.add(number)))
  )

const outbound = { direction: "outbound", role: "agent", status: "sent" } as const

export const deliveryCounts = suite("counts of messages", ({ it }) => {
  it.effect("have each message in exactly one interval of the local clock, whatever the zone does", () =>
    Effect.gen(function* () {
      const store = yield* DeliveryCountStore
      for (const [timezone, interval, start, days] of periods) {
        const number = yield* connect()
        const [from, to] = [instant(start), Instant.plus(instant(start), days * Instant.day)]
        const { bounds } = Result.getOrThrow(dividedPeriod({ from, to, interval, timezone }, to))
        // At each bound and just before it, and some in between.
        const times = [
          ...bounds.flatMap((bound) => [bound, Instant.plus(bound, -1)]),
          ...Array.from({ length: 50 }, (_, nth) =>
            Instant.plus(from, Math.floor(((nth * 7919) % 997) * days * 86_600))
          )
        ]
        yield* add(...times.map((createdAt) => Rows.message(Rows.customer(number), { createdAt })))
        const counts = yield* read(store.count(number.tenantId, everything, bounds))
        const expected = bounds.slice(0, -1).flatMap((bound, place) => {
          const count = times.filter((at) => at >= bound && at < bounds[place + 1]!).length
          return count === 0 ? [] : [{ place, status: "received" as const, code: null, count }]
        })
        assert.deepStrictEqual(sorted(counts), expected, `${timezone} by ${interval}`)
      }
    })
  )

  it.effect("are of one account, of a number also where it was connected before, and of a type", () =>
    Effect.gen(function* () {
      const store = yield* DeliveryCountStore
      const own = tenantId()
      const former = yield* connect({ phoneNumberId: "1-of-counts", disconnectedAt: Rows.at(1) }, own)
      const present = yield* connect({ phoneNumberId: "1-of-counts" }, own)
      const second = yield* connect({}, own)
      const others = yield* connect()
      const sent = (number: typeof former, over: Partial<Message> = {}) =>
        Rows.message(Rows.customer(number), { ...outbound, createdAt: Rows.at(5), ...over })
      yield* add(sent(former), sent(present, { type: "image" }), sent(second, { createdAt: Rows.at(15) }), sent(others))
      const bounds = [Rows.at(0), Rows.at(10), Rows.at(20)]
      const counted = (filter: Partial<DeliveryFilter>) =>
        Effect.map(read(store.count(own, { ...everything, ...filter }, bounds)), (counts) =>
          sorted(counts).map(({ count, place }) => [place, count])
        )
      assert.deepStrictEqual(yield* counted({}), [
        [0, 2],
        [1, 1]
      ])
      assert.deepStrictEqual(yield* counted({ phoneNumberId: "1-of-counts" }), [[0, 2]])
      assert.deepStrictEqual(yield* counted({ phoneNumberId: "1-of-counts", type: "image" }), [[0, 1]])
      assert.deepStrictEqual(yield* counted({ type: "video" }), [])
      assert.deepStrictEqual(yield* read(store.count(tenantId(), everything, bounds)), [])
    })
  )

  it.effect("have the code of what has failed, and of nothing else", () =>
    Effect.gen(function* () {
      const store = yield* DeliveryCountStore
      const number = yield* connect()
      const fault = (code: number | null) => ({ code, message: "m" })
      const rows = [
        { status: "failed", fault: fault(131026) },
        { status: "failed", fault: fault(131026) },
        { status: "failed", fault: fault(null) },
        { status: "unknown", fault: null },
        { status: "delivered", fault: fault(131026) },
        { status: "sending", fault: null }
      ] as const
      yield* add(...rows.map((row) => Rows.message(Rows.customer(number), { ...outbound, ...row })))
      const counts = yield* read(store.count(number.tenantId, everything, [Rows.at(0), Rows.at(1)]))
      assert.deepStrictEqual(sorted(counts), [
        { place: 0, status: "delivered", code: null, count: 1 },
        { place: 0, status: "failed", code: null, count: 1 },
        { place: 0, status: "failed", code: 131026, count: 2 },
        { place: 0, status: "sending", code: null, count: 1 },
        { place: 0, status: "unknown", code: null, count: 1 }
      ])
    })
  )

  it.effect("of a campaign are of what it has sent and of the replies to it", () =>
    Effect.gen(function* () {
      const store = yield* DeliveryCountStore
      const number = yield* connect()
      const { tenantId: own } = number
      const [campaign, other] = [Rows.templateCampaign(own), Rows.templateCampaign(own)]
      const customer = Rows.customer(number)
      const sent = [campaign, campaign, other].map(({ id: campaignId }) =>
        Rows.message(customer, { ...outbound, type: "template", campaignId })
      )
      const replies = [5, 15].map((at) => Rows.message(customer, { createdAt: Rows.at(at) }))
      const answering = (of: typeof campaign, { createdAt, id }: Message, seq: number) =>
        Rows.templateContact(of, seq, {
          status: "read",
          repliedAt: createdAt,
          reply: { messageId: id, text: "Yes", button: null }
        })
      const contacts = [
        ...replies.map((reply, seq) => answering(campaign, reply, seq)),
        answering(other, replies[0]!, 0),
        Rows.templateContact(campaign, 2)
      ]
      yield* add(...sent, ...replies, Rows.message(customer))
      yield* transact(TemplateContactStore.use((all) => all.add(contacts)))
      const counted = (filter: Partial<DeliveryFilter>, account = own) =>
        Effect.map(
          read(
            store.count(account, { ...everything, campaignId: campaign.id, ...filter }, [
              ...[Rows.at(0), Rows.at(10)],
              Rows.at(20)
            ])
          ),
          (counts) => sorted(counts).map(({ count, place, status }) => [place, status, count])
        )
      const [template, text] = [
        [[0, "sent", 2]],
        [
          [0, "received", 1],
          [1, "received", 1]
        ]
      ]
      assert.deepStrictEqual(yield* counted({}), [text[0]!, ...template, text[1]!])
      assert.deepStrictEqual(yield* counted({ type: "template" }), template)
      assert.deepStrictEqual(yield* counted({ type: "text" }), text)
      assert.deepStrictEqual(yield* counted({}, tenantId()), [])
    })
  )
})
