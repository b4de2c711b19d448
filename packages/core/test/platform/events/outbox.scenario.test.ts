/** Events: docs/reference/events.md. Verifies: EVNT-2. */
import { Accounts, Bots, Campaigns, type Event, type NewEvent, Storage } from "@trunkline/core/effect"
import { type CampaignStatus, Outbox } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { CallEvents } from "../../../src/calling/calls/index.ts"
import { type Stage, scenario } from "../../calling/calls/Scenarios.ts"

const [a, b] = ["+14155550101", "+14155550102"]

const names = (events: ReadonlyArray<{ readonly event: string }>) => events.map(({ event }) => event)

const low = (stage: Stage, balance: number): NewEvent => ({
  event: "credits.low",
  tenantId: stage.tenant,
  botId: null,
  data: { balance, threshold: 100 }
})

describe("events of a campaign and its calls", () => {
  // Verifies: C-2, C-33, D-117, D-162, E-10.
  scenario(
    "are each written once, in the order in which they happened, with the state after the change",
    function* (stage) {
      const agent = yield* stage.run(
        Bots.use((bots) =>
          bots.create(stage.tenant, { name: "Asha", type: "messaging", systemPrompt: null, isActive: true, config: {} })
        )
      )
      const id = yield* stage.running({ name: "Autumn", botId: agent.id, maxAttempts: 1, paceSeconds: 5 }, [a, b])
      yield* stage.rest
      yield* stage.wait(1_000)
      yield* stage.completeCall(a, 61)
      yield* stage.end(b, "no_answer")
      const events = yield* stage.events
      const [first, second] = yield* stage.calls()
      const campaign = (status: CampaignStatus, completed: number, failed: number) => ({
        campaign_id: id,
        kind: "voice",
        name: "Autumn",
        status,
        total_contacts: 2,
        completed_contacts: completed,
        failed_contacts: failed,
        dial_mode: "power",
        phone_number_id: null,
        template: null
      })
      expect(
        events.filter(({ event }) => event.startsWith("campaign.")).map(({ data, event }) => [event, data])
      ).toEqual([
        ["campaign.started", campaign("running", 0, 0)],
        ["campaign.completed", campaign("completed", 1, 1)]
      ])
      expect(yield* stage.eventNames(first!)).toEqual(["call.started", "call.completed"])
      expect(yield* stage.eventNames(second!)).toEqual(["call.started", "call.failed"])
      const ended = events.find(({ data, event }) => event === "call.completed" && data.id === first!.id)!
      expect(ended.data).toEqual(CallEvents.publicFields(first!))
      expect(ended.data).toMatchObject({
        campaign_id: id,
        attempt: 1,
        credits: 2,
        duration_seconds: 61,
        status: "completed"
      })
      const started = events.find(({ data, event }) => event === "call.started" && data.id === first!.id)!
      expect(started.data).toMatchObject({
        status: "queued",
        provider: "fake",
        provider_call_id: first!.providerCallId,
        answered_at: null,
        credits: 0
      })
      for (const event of events) expect(event).toMatchObject({ tenantId: stage.tenant, botId: agent.id })
      expect(new Set(events.map((event) => event.id)).size).toBe(6)
      expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).sort())
    }
  )

  // Verifies: C-76, C-79, C-86, C-96, C-159, C-161, C-162, C-163.
  scenario("are fired by every entry into running and by nothing else that a person does", function* (stage) {
    const id = yield* stage.draft({}, [a])
    const path: ReadonlyArray<CampaignStatus> = [
      "scheduled",
      "draft",
      "scheduled",
      "paused",
      "scheduled",
      "running",
      "running",
      "paused",
      "running",
      "cancelled",
      "cancelled"
    ]
    for (const to of path) yield* stage.move(id, to)
    expect(yield* stage.eventNames({ id })).toEqual(["campaign.started", "campaign.started"])
    yield* stage.change(id, { name: "x" })
    yield* stage.run(
      Campaigns.use((campaigns) => campaigns.remove(stage.tenant, id, { id: "user:anna", name: "Anna" }))
    )
    expect(yield* stage.events).toHaveLength(2)
  })

  scenario("are not fired by a move that is refused", function* (stage) {
    const id = yield* stage.draft({}, [])
    expect(
      yield* stage.fails(
        Campaigns.use((campaigns) => campaigns.move(stage.tenant, id, "running", { id: "user:anna", name: "Anna" }))
      )
    ).toMatchObject({ _tag: "MoveRefused", from: "draft", to: "running" })
    expect(yield* stage.events).toEqual([])
  })

  // Verifies: D-53.
  scenario(
    "say failed with the campaign's new status, and completed once when a person is as fast as the last call",
    function* (stage) {
      const id = yield* stage.running({}, [a])
      yield* stage.rest
      yield* stage.answer(a)
      yield* stage.move(id, "completed")
      yield* stage.end(a)
      yield* stage.wait(60_000)
      expect(yield* stage.eventNames({ id })).toEqual(["campaign.started", "campaign.completed"])
    }
  )
})

describe("the outbox", () => {
  // Verifies: W-3.
  scenario("has no event of a change that was rolled back", function* (stage) {
    const failing = Effect.gen(function* () {
      const outbox = yield* Outbox
      const storage = yield* Storage
      yield* storage.transact(Effect.andThen(outbox.append([low(stage, 1)]), Effect.fail("no" as const)))
    })
    expect(yield* stage.fails(failing)).toBe("no")
    expect(yield* stage.events).toEqual([])
  })

  scenario("writes a campaign's event with its status, or neither of them", function* (stage) {
    const id = yield* stage.draft({}, [a])
    yield* stage.move(id, "scheduled")
    stage.breakEvents = true
    const error = yield* stage.fails(
      Campaigns.use((campaigns) => campaigns.move(stage.tenant, id, "running", { id: "user:anna", name: "Anna" }))
    )
    expect(error).toMatchObject({ _tag: "StorageError" })
    expect((yield* stage.campaign(id)).status).toBe("scheduled")
    stage.breakEvents = false
    yield* stage.move(id, "running")
    expect(yield* stage.eventNames({ id })).toEqual(["campaign.started"])
  })

  scenario(
    "writes a call's event with its end, contact and credit, or none of them; the report can be repeated",
    function* (stage) {
      const id = yield* stage.running({}, [a])
      yield* stage.rest
      yield* stage.losing(stage.answer(a))
      stage.breakEvents = true
      const line = stage.line(a)
      stage.network.end(line, "completed", "remote", line.answeredAt!)
      const report = stage.network.pending[0]!
      yield* Effect.exit(stage.deliver)
      expect(yield* stage.call(a)).toMatchObject({ status: "queued", endedAt: null, credits: 0n })
      expect(yield* stage.contact(id, a)).toMatchObject({ status: "calling", attempts: 0 })
      expect((yield* stage.credits).reserved).toBe(1_000_000_000n)
      stage.breakEvents = false
      stage.network.pending.push(report)
      yield* stage.deliver
      expect(yield* stage.contact(id, a)).toMatchObject({ status: "done", attempts: 1 })
      expect(yield* stage.eventNames(yield* stage.call(a))).toEqual(["call.started", "call.completed"])
    }
  )

  // Verifies: E-49.
  scenario("is read from a cursor on, oldest first, without gaps and without repetition", function* (stage) {
    const write = (n: number) =>
      stage.run(
        Effect.gen(function* () {
          const outbox = yield* Outbox
          const storage = yield* Storage
          yield* storage.transact(outbox.append([low(stage, n)]))
        })
      )
    for (let n = 0; n < 7; n++) yield* write(n)
    const seen: Array<unknown> = []
    let cursor: string | null = null
    for (;;) {
      const page: ReadonlyArray<{ data: Readonly<Record<string, unknown>>; cursor: string }> = yield* stage.run(
        Outbox.use((outbox) => outbox.read(cursor, 3))
      )
      if (page.length === 0) break
      seen.push(...page.map(({ data }) => data.balance))
      cursor = page.at(-1)!.cursor
      // What is written meanwhile comes at the end.
      if (seen.length === 3) yield* write(7)
    }
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    yield* write(8)
    expect((yield* stage.run(Outbox.use((outbox) => outbox.read(cursor, 3)))).map(({ data }) => data.balance)).toEqual([
      8
    ])
    yield* stage.restart
    expect((yield* stage.events).map(({ data }) => data.balance)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  })

  scenario("keeps events as they were written", function* (stage) {
    yield* stage.running({ name: "Früh – é 🙂" }, [a])
    const [event] = yield* stage.events
    expect(event!.data).toMatchObject({ name: "Früh – é 🙂", total_contacts: 1 })
  })
})

describe("listeners of this process", () => {
  const listening = (stage: Stage, name: Event["event"] | "*") =>
    Effect.map(stage.run(Effect.map(Outbox, (outbox) => outbox)), (outbox) => {
      const heard: Array<Event> = []
      const stop = outbox.on(name, (event) => Effect.sync(() => void heard.push(event)))
      return { heard, stop }
    })

  // Verifies: E-48.
  scenario("hear what they asked for, after its commit, until they stop", function* (stage) {
    const all = yield* listening(stage, "*")
    const calls = yield* listening(stage, "call.completed")
    const id = yield* stage.running({ paceSeconds: 5 }, [a, b])
    yield* stage.rest
    yield* stage.completeCall(a, 10)
    expect(names(all.heard)).toEqual(["campaign.started", "call.started", "call.completed", "call.started"])
    expect(names(calls.heard)).toEqual(["call.completed"])
    all.stop()
    yield* stage.completeCall(b, 10)
    expect(all.heard).toHaveLength(4)
    expect(names(calls.heard)).toEqual(["call.completed", "call.completed"])
    expect((yield* stage.campaign(id)).status).toBe("completed")
    const recorded = yield* stage.events
    expect(calls.heard.map((event) => event.id)).toEqual(
      recorded.filter(({ event }) => event === "call.completed").map((event) => event.id)
    )
  })

  // Verifies: E-48.
  scenario("hear nothing of what was rolled back, nor of what another process did", function* (stage) {
    const all = yield* listening(stage, "*")
    const id = yield* stage.draft({}, [a])
    yield* stage.move(id, "scheduled")
    stage.breakEvents = true
    yield* stage.fails(
      Campaigns.use((campaigns) => campaigns.move(stage.tenant, id, "running", { id: "user:anna", name: "Anna" }))
    )
    stage.breakEvents = false
    yield* stage.restart
    yield* stage.move(id, "running")
    expect(all.heard).toEqual([])
    expect(yield* stage.eventNames({ id })).toEqual(["campaign.started"])
  })

  scenario("that fail disturb neither the change nor the others", function* (stage) {
    const outbox = yield* stage.run(Effect.map(Outbox, (one) => one))
    outbox.on("*", () => Effect.die(new Error("a listener's own fault")))
    const { heard } = yield* listening(stage, "*")
    const id = yield* stage.running({}, [a])
    yield* stage.rest
    yield* stage.completeCall(a, 1)
    expect((yield* stage.campaign(id)).status).toBe("completed")
    expect(names(heard)).toHaveLength(4)
  })
})

scenario("an account's events carry its own id", function* (stage) {
  const them = yield* stage.run(
    Accounts.use((accounts) => accounts.create({ name: "Other", plan: "free", voiceCampaigns: true }))
  )
  const theirs = yield* stage.run(Campaigns.use((campaigns) => campaigns.create(them.id, { name: "Theirs" })))
  for (const to of ["scheduled", "running"] as const) {
    yield* stage.run(
      Campaigns.use((campaigns) => campaigns.move(them.id, theirs.id, to, { id: "user:anna", name: "Anna" }))
    )
  }
  yield* stage.running({}, [a])
  expect((yield* stage.events).map(({ tenantId }) => tenantId)).toEqual([them.id, stage.tenant])
})
