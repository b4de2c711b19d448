/** A campaign from its start to its end: docs/reference/campaigns.md#scheduled-start, #completion, #states, #rules. Verifies: CAMP-7. */
import { Accounts, Bots, CampaignContacts, Campaigns, Ids, LiveView, Numbers } from "@trunkline/core/effect"
import { type CampaignFields, everyCampaign, everyContact } from "@trunkline/core/testing"
import { describe, expect } from "vitest"
import { type Attempt, instant, type Stage, scenario } from "../calls/Scenarios.ts"

const [a, b, c] = ["+14155550101", "+14155550102", "+14155550103"]
const stranger = Ids.as<never>("01936f00-0000-7000-8000-0000000000ff")

describe("a scheduled campaign", () => {
  // Verifies: C-35.
  scenario("starts by itself when its time has come, and not before", function* (stage) {
    const id = yield* stage.draft({ scheduledAt: instant("2026-11-21T07:00:00Z") }, [a])
    yield* stage.move(id, "scheduled")
    yield* stage.waitUntil("2026-11-21T06:59:59.999Z")
    expect((yield* stage.campaign(id)).status).toBe("scheduled")
    yield* stage.wait(1)
    expect((yield* stage.campaign(id)).status).toBe("running")
    expect(stage.dialedAt).toEqual(["2026-11-21T07:00:00.000Z"])
    expect(yield* stage.eventNames({ id })).toEqual(["campaign.started"])
  })

  // Verifies: D-49.
  scenario("waits for a person when it has no time", function* (stage) {
    const id = yield* stage.draft({}, [a])
    yield* stage.move(id, "scheduled")
    yield* stage.wait(7 * 24 * 3_600_000)
    expect((yield* stage.campaign(id)).status).toBe("scheduled")
    expect(stage.dialed).toEqual([])
  })

  scenario("whose time has passed starts as soon as it is scheduled", function* (stage) {
    const id = yield* stage.draft({ scheduledAt: instant("2020-01-01T00:00:00Z") }, [a])
    yield* stage.wait(600_000)
    expect((yield* stage.campaign(id)).status).toBe("draft")
    yield* stage.move(id, "scheduled")
    yield* stage.rest
    expect((yield* stage.campaign(id)).status).toBe("running")
  })

  scenario("does nothing at its time while it is a draft or paused", function* (stage) {
    const scheduledAt = instant("2026-11-21T07:00:00Z")
    const draft = yield* stage.draft({ scheduledAt }, [a])
    const paused = yield* stage.draft({ scheduledAt }, [b])
    yield* stage.move(paused, "scheduled")
    yield* stage.move(paused, "paused")
    yield* stage.wait(3_600_000)
    expect((yield* stage.campaign(draft)).status).toBe("draft")
    expect((yield* stage.campaign(paused)).status).toBe("paused")
    expect(yield* stage.events).toEqual([])
  })

  scenario("follows its time when it is changed, or removed", function* (stage) {
    const id = yield* stage.draft({ scheduledAt: instant("2026-11-21T07:00:00Z") }, [a])
    yield* stage.move(id, "scheduled")
    yield* stage.change(id, { scheduledAt: instant("2026-11-21T08:00:00Z") })
    yield* stage.waitUntil("2026-11-21T07:30:00Z")
    expect((yield* stage.campaign(id)).status).toBe("scheduled")
    yield* stage.change(id, { scheduledAt: null })
    yield* stage.waitUntil("2026-11-21T09:00:00Z")
    expect((yield* stage.campaign(id)).status).toBe("scheduled")
    yield* stage.change(id, { scheduledAt: instant("2026-11-21T08:30:00Z") })
    yield* stage.rest
    expect((yield* stage.campaign(id)).status).toBe("running")
  })

  scenario("runs at its time also when its window is closed, and dials when it opens", function* (stage) {
    const id = yield* stage.draft(
      { scheduledAt: instant("2026-11-21T07:00:00Z"), quietHoursStart: 9, quietHoursEnd: 10 },
      [a]
    )
    yield* stage.move(id, "scheduled")
    yield* stage.waitUntil("2026-11-21T08:00:00Z")
    expect((yield* stage.campaign(id)).status).toBe("running")
    expect(stage.dialed).toEqual([])
    yield* stage.waitUntil("2026-11-21T09:00:00Z")
    expect(stage.dialed).toEqual([a])
  })

  // Verifies: D-48.
  scenario("starts once, however many processes look", function* (stage) {
    const id = yield* stage.draft({ scheduledAt: instant("2026-11-21T07:00:00Z") }, [a])
    yield* stage.move(id, "scheduled")
    yield* stage.second
    yield* stage.waitUntil("2026-11-21T07:01:00Z")
    expect(yield* stage.eventNames({ id })).toEqual(["campaign.started"])
    expect(stage.dialed).toEqual([a])
  })
})

describe("a running campaign", () => {
  // Verifies: C-23, C-24, C-84, C-160, D-9, D-50, D-53.
  scenario("completes by itself when everybody is done or failed, and says so once", function* (stage) {
    const id = yield* stage.running({ maxAttempts: 1, paceSeconds: 5 }, [a, b])
    yield* stage.rest
    yield* stage.completeCall(a, 10)
    expect((yield* stage.campaign(id)).status).toBe("running")
    yield* stage.wait(1)
    yield* stage.end(b, "busy")
    expect(yield* stage.campaign(id)).toMatchObject({
      status: "completed",
      totalContacts: 2,
      completedContacts: 1,
      failedContacts: 1
    })
    yield* stage.move(id, "completed")
    yield* stage.wait(3_600_000)
    expect(yield* stage.eventNames({ id })).toEqual(["campaign.started", "campaign.completed"])
  })

  scenario("completes with the last contact also when that one may not be called", function* (stage) {
    const id = yield* stage.running({}, [a])
    yield* stage.suppress(a)
    yield* stage.rest
    expect(yield* stage.campaign(id)).toMatchObject({ status: "completed", failedContacts: 1 })
  })

  // Verifies: C-84, C-160, D-51.
  scenario("does not complete by itself without contacts", function* (stage) {
    const id = yield* stage.running({}, [])
    yield* stage.wait(24 * 3_600_000)
    expect((yield* stage.campaign(id)).status).toBe("running")
    yield* stage.move(id, "completed")
    expect(yield* stage.eventNames({ id })).toEqual(["campaign.started", "campaign.completed"])
  })

  scenario("does not complete while a retry is due later", function* (stage) {
    const id = yield* stage.running({}, [a])
    yield* stage.rest
    yield* stage.end(a, "busy")
    expect((yield* stage.campaign(id)).status).toBe("running")
  })

  scenario("that was paused when its last call ended completes when it is set running again", function* (stage) {
    const id = yield* stage.running({}, [a])
    yield* stage.rest
    yield* stage.answer(a)
    yield* stage.move(id, "paused")
    yield* stage.end(a)
    expect(yield* stage.campaign(id)).toMatchObject({ status: "paused", completedContacts: 1 })
    yield* stage.move(id, "running")
    yield* stage.rest
    expect((yield* stage.campaign(id)).status).toBe("completed")
    expect(yield* stage.eventNames({ id })).toEqual(["campaign.started", "campaign.started", "campaign.completed"])
  })

  scenario("whose last open contact fails for its lowered limit completes", function* (stage) {
    const id = yield* stage.running({ maxAttempts: 3 }, [a])
    yield* stage.rest
    yield* stage.end(a, "busy")
    yield* stage.change(id, { maxAttempts: 1 })
    yield* stage.wait(15 * 60_000)
    expect(yield* stage.campaign(id)).toMatchObject({ status: "completed", failedContacts: 1 })
  })

  for (const [to, ending] of [
    ["paused", "paused"],
    ["completed", "completed"],
    ["cancelled", "cancelled"]
  ] as const) {
    // Verifies: D-16, D-18.
    scenario(
      `that is ${ending} by hand dials nobody more; the call under way goes on and is written down`,
      function* (stage) {
        const id = yield* stage.running({ paceSeconds: 5 }, [a, b])
        yield* stage.rest
        yield* stage.answer(a)
        yield* stage.move(id, to)
        yield* stage.wait(60_000)
        expect(stage.line(a).endedAt).toBeNull()
        yield* stage.end(a)
        yield* stage.wait(3_600_000)
        expect(stage.dialed).toEqual([a])
        expect((yield* stage.contacts(id)).map(({ attempts, status }) => [status, attempts])).toEqual([
          ["done", 1],
          ["pending", 0]
        ])
        expect(yield* stage.campaign(id)).toMatchObject({ status: ending, completedContacts: 1, failedContacts: 0 })
      }
    )
  }

  // Verifies: D-18.
  scenario("that was cancelled keeps a retry pending which is never made", function* (stage) {
    const id = yield* stage.running({}, [a])
    yield* stage.rest
    yield* stage.move(id, "cancelled")
    yield* stage.end(a, "busy")
    expect(yield* stage.contact(id, a)).toMatchObject({ status: "pending", attempts: 1, lastError: "busy" })
    yield* stage.wait(24 * 3_600_000)
    expect(stage.dialed).toEqual([a])
  })
})

describe("a campaign that was deleted", () => {
  // Verifies: C-112, C-113, D-17.
  scenario("is deleted with its list; calls go on, end, cost, and stay in the telephony API", function* (stage) {
    const id = yield* stage.running({ paceSeconds: 5 }, [a, b])
    yield* stage.rest
    yield* stage.answer(a)
    yield* stage.run(
      Campaigns.use((campaigns) => campaigns.remove(stage.tenant, id, { id: "user:anna", name: "Anna" }))
    )
    yield* stage.wait(70_000)
    expect(stage.line(a).endedAt).toBeNull()
    yield* stage.end(a)
    expect(stage.dialed).toEqual([a])
    const call = yield* stage.call(a)
    expect(call).toMatchObject({ status: "completed", campaignId: id, credits: 2_000_000_000n })
    expect(call.contactId).not.toBeNull()
    expect(yield* stage.eventNames(call)).toEqual(["call.started", "call.completed"])
    expect(yield* stage.contacts(id)).toEqual([])
    expect((yield* stage.credits).reserved).toBe(0n)
    expect(yield* stage.fails(LiveView.use((view) => view.of(stage.tenant, id)))).toMatchObject({
      _tag: "CampaignNotFound"
    })
  })

  // Verifies: D-17.
  scenario("in the middle of a parallel dial still hangs up nobody, and dials nobody more", function* (stage) {
    const id = yield* stage.running({ dialMode: "parallel", parallelLines: 2 }, [a, b, c])
    yield* stage.rest
    yield* stage.run(
      Campaigns.use((campaigns) => campaigns.remove(stage.tenant, id, { id: "user:anna", name: "Anna" }))
    )
    yield* stage.completeCall(a, 5)
    yield* stage.end(b, "busy")
    yield* stage.wait(3_600_000)
    expect(stage.dialed).toEqual([a, b])
    expect((yield* stage.calls()).map(({ status }) => status)).toEqual(["completed", "busy"])
  })

  scenario("can be deleted in every status, and only once", function* (stage) {
    for (const to of ["draft", "scheduled", "running", "paused", "completed", "cancelled"] as const) {
      const id = yield* stage.draft({}, [a])
      if (to !== "draft") {
        if (to === "cancelled") yield* stage.move(id, "cancelled")
        else {
          yield* stage.move(id, "scheduled")
          if (to === "running" || to === "completed") yield* stage.move(id, "running")
          if (to === "paused" || to === "completed") yield* stage.move(id, to)
        }
      }
      const remove = Campaigns.use((campaigns) => campaigns.remove(stage.tenant, id, { id: "user:anna", name: "Anna" }))
      yield* stage.run(remove)
      expect(yield* stage.fails(remove)).toMatchObject({ _tag: "CampaignNotFound" })
    }
  })
})

describe("a campaign that has ended", () => {
  // Verifies: D-6.
  scenario("accepts changes that dial nobody", function* (stage) {
    const id = yield* stage.running({}, [a, b])
    yield* stage.move(id, "cancelled")
    const changed = yield* stage.change(id, {
      name: "Later",
      dialMode: "parallel",
      parallelLines: 5,
      scheduledAt: instant("2026-11-21T06:31:00Z")
    })
    expect(changed).toMatchObject({ name: "Later", status: "cancelled", parallelLines: 5 })
    yield* stage.wait(3_600_000)
    expect(stage.dialed).toEqual([])
    expect((yield* stage.campaign(id)).status).toBe("cancelled")
  })
})

describe("contacts", () => {
  // Verifies: C-100, C-141, C-142, C-143, C-175.
  scenario("can be added while draft, scheduled or paused, and at no other time", function* (stage) {
    const id = yield* stage.draft({ maxAttempts: 1 }, [])
    const closed = stage.fails(
      CampaignContacts.use((contacts) => contacts.add(stage.tenant, id, [{ phone: a, name: null }]))
    )
    yield* stage.add(id, [a])
    yield* stage.move(id, "scheduled")
    yield* stage.add(id, [a])
    yield* stage.move(id, "running")
    expect(yield* closed).toMatchObject({ _tag: "ContactsClosed", status: "running" })
    yield* stage.move(id, "paused")
    yield* stage.add(id, [a])
    yield* stage.move(id, "running")
    yield* stage.leaveCredit(0n)
    yield* stage.rest
    expect(yield* closed).toMatchObject({ _tag: "ContactsClosed", status: "insufficient_balance" })
    yield* stage.move(id, "cancelled")
    expect(yield* closed).toMatchObject({ _tag: "ContactsClosed", status: "cancelled" })
    const done = yield* stage.running({}, [])
    yield* stage.move(done, "completed")
    expect(
      yield* stage.fails(
        CampaignContacts.use((contacts) => contacts.add(stage.tenant, done, [{ phone: a, name: null }]))
      )
    ).toMatchObject({ _tag: "ContactsClosed", status: "completed" })
    expect(yield* stage.campaign(id)).toMatchObject({ totalContacts: 3 })
  })

  // Verifies: C-22, C-133, C-134, C-135, D-20, D-24, D-183.
  scenario("are not deduplicated; unusable numbers are skipped and counted", function* (stage) {
    const id = yield* stage.draft({}, [])
    expect(yield* stage.add(id, [a, "no number", a, "123456", "1234567890123456"])).toEqual({
      inserted: 2,
      skippedInvalid: 3,
      totalNow: 2
    })
    expect(yield* stage.add(id, [])).toEqual({ inserted: 0, skippedInvalid: 0, totalNow: 2 })
    expect(yield* stage.add(id, ["(415) 555-0103"])).toEqual({ inserted: 1, skippedInvalid: 0, totalNow: 3 })
    expect((yield* stage.contacts(id)).map(({ phone, status }) => [phone, status])).toEqual([
      [a, "pending"],
      [a, "pending"],
      ["(415) 555-0103", "pending"]
    ])
  })

  // Verifies: D-179.
  scenario("are numbered on in the order of adding, also after a pause", function* (stage) {
    const id = yield* stage.running({ dialMode: "preview" }, [c])
    yield* stage.move(id, "paused")
    yield* stage.wait(5_000)
    yield* stage.add(id, [a, b])
    const listed = yield* stage.run(
      CampaignContacts.use((contacts) => contacts.list(stage.tenant, id, everyContact, { limit: 2, offset: 1 }))
    )
    expect(listed.items.map(({ phone }) => phone)).toEqual([a, b])
    expect(listed.total).toBe(3)
  })
})

describe("what belongs to another account", () => {
  const other = (stage: Stage) =>
    stage.run(Accounts.use((accounts) => accounts.create({ name: "Other", plan: "free", voiceCampaigns: true })))

  // Verifies: C-11, C-12, C-167, C-168.
  scenario("is not there: campaigns, contacts, agents, numbers, templates", function* (stage) {
    const mine = yield* stage.running({ dialMode: "preview" }, [a])
    const contact = yield* stage.contact(mine, a)
    const them = yield* other(stage)
    const theirs = { _tag: "CampaignNotFound", id: mine }
    const attempts: ReadonlyArray<Attempt> = [
      Campaigns.use((campaigns) => campaigns.get(them.id, mine)),
      Campaigns.use((campaigns) => campaigns.change(them.id, mine, { name: "x" })),
      Campaigns.use((campaigns) => campaigns.move(them.id, mine, "paused", { id: "user:anna", name: "Anna" })),
      Campaigns.use((campaigns) => campaigns.remove(them.id, mine, { id: "user:anna", name: "Anna" })),
      CampaignContacts.use((contacts) => contacts.add(them.id, mine, [{ phone: b, name: null }])),
      CampaignContacts.use((contacts) => contacts.list(them.id, mine, everyContact, { limit: 1, offset: 0 })),
      CampaignContacts.use((contacts) => contacts.approve(them.id, mine, contact.id, { id: "user:anna", name: "Anna" }))
    ]
    for (const attempt of attempts) expect(yield* stage.fails(attempt)).toMatchObject(theirs)
    expect(yield* stage.campaign(mine)).toMatchObject({ status: "running", name: "Scenario", totalContacts: 1 })
  })

  // Verifies: C-44, C-45, C-46, C-170, C-171, C-172.
  scenario("cannot be referred to, on create and on change alike", function* (stage) {
    const them = yield* other(stage)
    const bot = yield* stage.run(
      Bots.use((bots) =>
        bots.create(them.id, { name: "B", type: "messaging", systemPrompt: null, isActive: true, config: {} })
      )
    )
    const number = yield* stage.run(Numbers.use((numbers) => numbers.add(them.id, "+14155550199", null)))
    const template = yield* stage.run(
      Numbers.use((numbers) => numbers.addTemplate(them.id, { name: "T", text: "x", audioUrl: null }))
    )
    const id = yield* stage.draft({}, [])
    const references: ReadonlyArray<readonly [CampaignFields, string]> = [
      [{ botId: bot.id }, "BotNotFound"],
      [{ botId: stranger }, "BotNotFound"],
      [{ fromNumberId: number.id }, "NumberNotFound"],
      [{ fromNumberId: stranger }, "NumberNotFound"],
      [{ voicemailTemplateId: template.id }, "TemplateNotFound"],
      [{ voicemailTemplateId: stranger }, "TemplateNotFound"]
    ]
    for (const [fields, _tag] of references) {
      expect(
        yield* stage.fails(Campaigns.use((campaigns) => campaigns.create(stage.tenant, { name: "C", ...fields })))
      ).toMatchObject({ _tag })
      expect(
        yield* stage.fails(Campaigns.use((campaigns) => campaigns.change(stage.tenant, id, fields)))
      ).toMatchObject({ _tag })
    }
    const { total } = yield* stage.run(
      Campaigns.use((campaigns) => campaigns.list(stage.tenant, everyCampaign, { limit: 9, offset: 0 }))
    )
    expect(total).toBe(1)
  })
})

describe("a change", () => {
  // Verifies: C-109, D-2.
  scenario("keeps what it leaves out, and clears what may be null", function* (stage) {
    const template = yield* stage.template("x")
    const number = yield* stage.run(Numbers.use((numbers) => numbers.add(stage.tenant, "+14155550199", null)))
    const id = yield* stage.draft(
      {
        name: "First",
        scheduledAt: instant("2030-01-01T00:00:00Z"),
        fromNumberId: number.id,
        voicemailTemplateId: template.id,
        dialMode: "parallel",
        parallelLines: 4,
        amdEnabled: true,
        maxAttempts: 5,
        paceSeconds: 77
      },
      [a]
    )
    const before = yield* stage.campaign(id)
    yield* stage.wait(1000)
    yield* stage.change(id, { name: "Second" })
    const { updatedAt, ...after } = yield* stage.campaign(id)
    expect({ ...after, updatedAt: before.updatedAt }).toEqual({ ...before, name: "Second" })
    expect(updatedAt).toBe(before.updatedAt + 1000)
    yield* stage.change(id, { scheduledAt: null, fromNumberId: null, voicemailTemplateId: null })
    expect(yield* stage.campaign(id)).toMatchObject({
      scheduledAt: null,
      fromNumberId: null,
      voicemailTemplateId: null,
      parallelLines: 4
    })
  })

  // Verifies: C-39, C-40, C-41, D-3, D-5.
  scenario("to dialing settings that contradict each other changes nothing", function* (stage) {
    const id = yield* stage.draft({ quietHoursStart: 9, quietHoursEnd: 17 }, [])
    const before = yield* stage.campaign(id)
    for (const fields of [{ quietHoursEnd: 9 }, { quietHoursStart: 20 }, { parallelLines: 2, name: "x" }]) {
      expect(
        yield* stage.fails(Campaigns.use((campaigns) => campaigns.change(stage.tenant, id, fields)))
      ).toMatchObject({ _tag: "RailsRefused" })
    }
    expect(yield* stage.campaign(id)).toEqual(before)
  })
})
