/** The do-not-call list at work: docs/reference/suppression.md. Verifies: SUPP-3, SUPP-4. */
import { Accounts, Ids, Instant, PhoneNumber, Storage, Suppression } from "@trunkline/core/effect"
import { CampaignContactStore, SuppressionStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { type Stage, scenario } from "../calls/Scenarios.ts"

const [a, b] = ["+14155550101", "+14155550102"]

const rows = (contacts: ReadonlyArray<{ status: string; attempts: number; lastError: string | null }>) =>
  contacts.map(({ attempts, lastError, status }) => [status, attempts, lastError])

const entries = (stage: Stage) =>
  Effect.map(
    stage.run(Suppression.use((list) => list.list(stage.tenant, { limit: 500, offset: 0 }))),
    ({ items }) => items
  )

const remove = (stage: Stage, phone: string) =>
  Effect.gen(function* () {
    const entry = (yield* entries(stage)).find((one) => one.phone === phone)!
    yield* stage.run(Suppression.use((list) => list.remove(stage.tenant, entry.id)))
  })

describe("a number that is listed", () => {
  // Verifies: C-6, C-14, D-37.
  scenario("before it is dialed is not dialed; its contact fails without an attempt", function* (stage) {
    yield* stage.suppress(a)
    const id = yield* stage.running({ paceSeconds: 5 }, [a, b])
    yield* stage.rest
    expect(stage.dialed).toEqual([b])
    expect(rows(yield* stage.contacts(id))).toEqual([
      ["failed", 0, "do_not_call"],
      ["calling", 0, null]
    ])
    expect(yield* stage.campaign(id)).toMatchObject({ failedContacts: 1 })
    expect((yield* stage.calls()).map(({ to }) => to)).toEqual([b])
  })

  scenario("after a failed attempt is not dialed again, and keeps the attempt", function* (stage) {
    const id = yield* stage.running({}, [a])
    yield* stage.rest
    yield* stage.end(a, "busy")
    yield* stage.suppress(a)
    yield* stage.wait(3_600_000)
    expect(stage.dialed).toEqual([a])
    expect(rows(yield* stage.contacts(id))).toEqual([["failed", 1, "do_not_call"]])
  })

  // Verifies: C-17.
  scenario("however it was written", function* (stage) {
    const id = yield* stage.running({ paceSeconds: 5, timezone: "UTC" }, [
      "+91 98765 43210",
      "098765-43210 ext 5",
      "९८७६५४३२१०"
    ])
    yield* stage.suppress("0091 (98765) 43210")
    yield* stage.wait(60_000)
    expect(stage.dialed).toEqual([])
    expect(yield* stage.campaign(id)).toMatchObject({ status: "completed", failedContacts: 3 })
  })

  scenario("is not dialed with an extension, in whatever script, on either side", function* (stage) {
    yield* stage.suppress("+7 495 988-53-00", "+49 30 901801 内線 3", "+1 212 555 0101 / 0102", "1-800-FLOWERS")
    const contacts = [
      "+7 495 988-53-00 доб. 1311",
      "+49 30 901801 int. 45",
      "+49 30 901801 ~45",
      "+12125550101;+12125550102"
    ]
    const id = yield* stage.running({ paceSeconds: 5, timezone: "UTC" }, [...contacts, "800 356 9377"])
    yield* stage.wait(60_000)
    expect(stage.dialed).toEqual([])
    expect(rows(yield* stage.contacts(id))).toEqual(Array.from({ length: 5 }, () => ["failed", 0, "do_not_call"]))
  })

  // Verifies: D-296.
  scenario("of a contact that was stored under another key is not dialed", function* (stage) {
    const id = yield* stage.running({ paceSeconds: 5 }, [b])
    const [one] = yield* stage.contacts(id)
    const stored = (seq: number, phone: string) => ({
      ...one!,
      id: Ids.as<"CampaignContact">(
        one!.id.replace(/.$/, (last) => ((Number.parseInt(last, 16) + seq) % 16).toString(16))
      ),
      seq,
      phone
    })
    yield* stage.run(
      Storage.use(({ transact }) =>
        transact(CampaignContactStore.use((store) => store.add([stored(7, `${a} доб. 5`), stored(8, "2026-11-28")])))
      )
    )
    yield* stage.suppress(a, b)
    yield* stage.wait(60_000)
    expect(stage.dialed).toEqual([])
    expect(rows(yield* stage.contacts(id)).slice(1)).toEqual([
      ["failed", 0, "do_not_call"],
      ["failed", 0, "invalid_number"]
    ])
  })

  // Verifies: C-13.
  scenario("by another account is still called by this one", function* (stage) {
    const other = yield* stage.run(
      Accounts.use((accounts) => accounts.create({ name: "Other", plan: "free", voiceCampaigns: true }))
    )
    yield* stage.run(Suppression.use((list) => list.add(other.id, [{ phone: a, reason: null }])))
    yield* stage.running({}, [a])
    yield* stage.rest
    expect(stage.dialed).toEqual([a])
  })

  // Verifies: D-35, D-126.
  scenario("while its call is queued has the call cancelled, without an attempt", function* (stage) {
    const id = yield* stage.running({ paceSeconds: 5 }, [a, b])
    yield* stage.rest
    yield* stage.suppress(a)
    yield* stage.rest
    expect(stage.line(a).endedAt).toBe(yield* Instant.now)
    expect(yield* stage.call(a)).toMatchObject({ status: "canceled", endReason: "do_not_call", credits: 0n })
    expect(rows(yield* stage.contacts(id))[0]).toEqual(["failed", 0, "do_not_call"])
    expect((yield* stage.credits).reserved).toBe(0n)
  })

  // Verifies: D-38.
  scenario("while it rings has the call cancelled, and the attempt counts", function* (stage) {
    const id = yield* stage.running({}, [a])
    yield* stage.rest
    yield* stage.ring(a)
    yield* stage.suppress(a)
    yield* stage.rest
    expect(yield* stage.call(a)).toMatchObject({ status: "canceled", endReason: "do_not_call" })
    expect(rows(yield* stage.contacts(id))).toEqual([["failed", 1, "do_not_call"]])
    yield* stage.wait(24 * 3_600_000)
    expect(stage.dialed).toEqual([a])
  })

  // Verifies: D-36.
  scenario("does not end a conversation", function* (stage) {
    const id = yield* stage.running({}, [a])
    yield* stage.rest
    yield* stage.answer(a)
    yield* stage.suppress(a)
    yield* stage.wait(30_000)
    expect(stage.line(a).endedAt).toBeNull()
    expect(stage.network.log.filter(({ kind }) => kind === "end")).toEqual([])
    yield* stage.end(a)
    expect(rows(yield* stage.contacts(id))).toEqual([["done", 1, null]])
  })

  // Verifies: C-13, D-35.
  scenario("has every call to that person cancelled, whichever campaign or the API placed it", function* (stage) {
    const one = yield* stage.running({}, ["+91 98765 43210"])
    const other = yield* stage.running({}, ["09876543210"])
    yield* stage.dial("9876543210")
    yield* stage.running({}, [b])
    yield* stage.rest
    yield* stage.suppress("43210")
    expect((yield* entries(stage)).length).toBe(0)
    yield* stage.suppress("76543210")
    yield* stage.rest
    expect((yield* stage.calls()).map(({ endReason, to }) => [to, endReason])).toEqual([
      ["9876543210", "do_not_call"],
      ["+91 98765 43210", "do_not_call"],
      ["09876543210", "do_not_call"],
      [b, null]
    ])
    expect((yield* stage.campaign(one)).failedContacts + (yield* stage.campaign(other)).failedContacts).toBe(2)
  })

  scenario("is cancelled again until the carrier has done it", function* (stage) {
    yield* stage.running({}, [a])
    yield* stage.rest
    yield* stage.ring(a)
    stage.stubborn.add(a)
    yield* stage.suppress(a)
    yield* stage.wait(60_000)
    expect(stage.network.log.filter(({ kind }) => kind === "end").length).toBeGreaterThan(2)
    // A carrier is not flooded with the same request either.
    expect(stage.network.log.filter(({ kind }) => kind === "end").length).toBeLessThan(20)
    stage.stubborn.delete(a)
    yield* stage.wait(20_000)
    expect(yield* stage.call(a)).toMatchObject({ status: "canceled", endReason: "do_not_call" })
  })

  scenario("is cancelled also when the process dies after the addition", function* (stage) {
    const id = yield* stage.running({}, [a])
    yield* stage.rest
    yield* stage.ring(a)
    yield* stage.killAtNextCommit
    yield* Effect.exit(stage.suppress(a))
    expect(stage.isAlive).toBe(false)
    expect(stage.line(a).endedAt).toBeNull()
    yield* stage.start
    yield* stage.wait(20_000)
    expect(stage.line(a).endedAt).not.toBeNull()
    expect(rows(yield* stage.contacts(id))).toEqual([["failed", 1, "do_not_call"]])
  })

  scenario(
    "between the commit of a call and the request to the carrier is not asked for",
    function* (stage) {
      const id = yield* stage.running({ dialMode: "parallel", parallelLines: 2, maxAttempts: 1 }, [a, b])
      yield* stage.rest
      expect(stage.dialed).toEqual([a])
      expect(yield* stage.contact(id, b)).toMatchObject({ status: "calling" })
      yield* stage.suppress(b)
      yield* stage.wait(2_000)
      expect(stage.dialed).toEqual([a])
      expect(yield* stage.call(b)).toMatchObject({ status: "canceled", endReason: "do_not_call" })
      expect(yield* stage.eventNames(yield* stage.call(b))).toEqual([])
      expect(yield* stage.contact(id, b)).toMatchObject({ status: "failed", attempts: 0, lastError: "do_not_call" })
    },
    { carrier: { startsPerSecond: 1 } }
  )

  scenario(
    "is checked once more before the carrier is asked, also where another program wrote the entry",
    function* (stage) {
      const id = yield* stage.running({ dialMode: "parallel", parallelLines: 2 }, [a, b])
      yield* stage.rest
      // Past the service, as another program would: no call is marked.
      yield* stage.look(
        Effect.gen(function* () {
          const store = yield* SuppressionStore
          const storage = yield* Storage
          const entry = { id: Ids.as<"SuppressionEntry">(id), tenantId: stage.tenant, phone: b, reason: null }
          const createdAt = yield* Instant.now
          yield* storage.transact(store.add({ ...entry, matchKey: PhoneNumber.usable(b)!.key, createdAt }))
        })
      )
      yield* stage.wait(2_000)
      expect(stage.dialed).toEqual([a])
      expect(yield* stage.contact(id, b)).toMatchObject({ status: "failed", attempts: 0, lastError: "do_not_call" })
    },
    { carrier: { startsPerSecond: 1 } }
  )

  scenario(
    "while the carrier is being asked fails its contact also when the carrier throttles",
    function* (stage) {
      const id = yield* stage.running({}, [a])
      yield* stage.rest
      expect(rows(yield* stage.contacts(id))).toEqual([["calling", 0, null]])
      yield* stage.suppress(a)
      yield* stage.wait(1_000)
      expect(rows(yield* stage.contacts(id))).toEqual([["failed", 0, "do_not_call"]])
    },
    {
      carrier: {
        onPlace: () => "throttled",
        after: ({ kind }) => (kind === "place" ? Effect.sleep(500) : Effect.void)
      }
    }
  )
})

describe("the list", () => {
  // Verifies: C-148, D-40, D-183.
  scenario("skips what it has already, and what is no number, and says how many of each", function* (stage) {
    expect(yield* stage.suppress(a, b, a, "no number", "(415) 555-0101")).toEqual({
      added: 2,
      skipped: 3,
      skippedInvalid: 1
    })
    expect(yield* stage.suppress(a)).toEqual({ added: 0, skipped: 1, skippedInvalid: 0 })
    expect(yield* stage.suppress()).toEqual({ added: 0, skipped: 0, skippedInvalid: 0 })
  })

  // Verifies: C-70, C-71, D-39.
  scenario("keeps an entry as it was given, with the first reason", function* (stage) {
    const add = (reason: string | null) =>
      stage.run(Suppression.use((list) => list.add(stage.tenant, [{ phone: " +1 (415) 555-0101", reason }])))
    yield* add("asked on the phone")
    yield* add("again")
    expect(yield* entries(stage)).toEqual([
      expect.objectContaining({
        phone: " +1 (415) 555-0101",
        reason: "asked on the phone",
        createdAt: yield* Instant.now
      })
    ])
  })

  scenario("is newest first and has pages", function* (stage) {
    for (const phone of ["5550001", "5550002", "5550003"]) {
      yield* stage.suppress(phone)
      yield* stage.wait(1000)
    }
    const page = yield* stage.run(Suppression.use((list) => list.list(stage.tenant, { limit: 2, offset: 1 })))
    expect(page.items.map(({ phone }) => phone)).toEqual(["5550002", "5550001"])
    expect(page.total).toBe(3)
  })

  // Verifies: D-29, D-30, D-31, D-32.
  scenario("accepts a number that a shorter or longer entry covers, and removes that entry alone", function* (stage) {
    yield* stage.suppress("555-0123")
    expect(yield* stage.suppress("+1 212 555 0123", "+1 646 555 0123")).toMatchObject({ added: 2, skipped: 0 })
    const may = (phone: string) => Effect.map(Effect.exit(stage.dial(phone)), ({ _tag }) => _tag === "Success")
    expect(yield* may("+1 212 555 0123")).toBe(false)
    yield* remove(stage, "+1 212 555 0123")
    // The short one covers it still.
    expect(yield* may("+1 212 555 0123")).toBe(false)
    expect(yield* may("+1 303 555 0123")).toBe(false)
    yield* remove(stage, "555-0123")
    expect(yield* may("+1 212 555 0123")).toBe(true)
    expect(yield* may("+1 303 555 0123")).toBe(true)
    expect(yield* may("+1 646 555 0123")).toBe(false)
  })

  // Verifies: C-169.
  scenario("knows no entry of another account, and none twice", function* (stage) {
    yield* stage.suppress(a)
    const [entry] = yield* entries(stage)
    const other = yield* stage.run(
      Accounts.use((accounts) => accounts.create({ name: "Other", plan: "free", voiceCampaigns: true }))
    )
    const removing = (tenant: typeof other.id) => Suppression.use((list) => list.remove(tenant, entry!.id))
    expect(yield* stage.fails(removing(other.id))).toMatchObject({ _tag: "EntryNotFound" })
    yield* stage.run(removing(stage.tenant))
    expect(yield* stage.fails(removing(stage.tenant))).toMatchObject({ _tag: "EntryNotFound" })
  })

  // Verifies: C-149.
  scenario("brings nobody back when an entry is removed", function* (stage) {
    yield* stage.suppress(a)
    const id = yield* stage.running({}, [a, b])
    yield* stage.rest
    yield* remove(stage, a)
    yield* stage.wait(24 * 3_600_000)
    expect(stage.dialed).toEqual([b])
    expect(yield* stage.contact(id, a)).toMatchObject({ status: "failed", lastError: "do_not_call" })
  })

  scenario("may be removed and added again around a call, which is then cancelled", function* (stage) {
    yield* stage.suppress(a)
    yield* remove(stage, a)
    yield* stage.running({}, [a])
    yield* stage.rest
    yield* stage.suppress(a)
    yield* stage.rest
    expect(yield* stage.call(a)).toMatchObject({ endReason: "do_not_call" })
  })
})

describe("additions and calls at the same moment", () => {
  // Verifies: C-14, D-33, D-34.
  scenario("never let a call through that was committed after the addition had answered", function* (stage) {
    yield* stage.second
    const phones = Array.from({ length: 20 }, (_, i) => `+1415555${1000 + i}`)
    yield* stage.running({ dialMode: "parallel", parallelLines: 5, maxAttempts: 1 }, phones)
    const known = new Map<string, ReadonlySet<string>>()
    for (const phone of [...phones].reverse()) {
      const [, ids] = yield* Effect.all(
        [
          stage.rest,
          Effect.andThen(
            stage.suppress(phone),
            Effect.map(stage.calls(), (all) => new Set(all.map(({ id }) => id)))
          )
        ],
        { concurrency: "unbounded" }
      )
      known.set(phone, ids as ReadonlySet<string>)
      for (const line of stage.network.openCalls()) yield* stage.end(line.order.to, "busy")
    }
    for (const call of yield* stage.calls()) expect(known.get(call.to)!.has(call.id)).toBe(true)
    expect(stage.dialed.length).toBeGreaterThan(4)
  })
})
