/** Caller numbers and voicemail templates: docs/reference/telephony.md#numbers, docs/reference/telephony.md#voicemail. */
import { Accounts, Ids, Numbers } from "@trunkline/core/effect"
import { describe, expect } from "vitest"
import { type Attempt, type Stage, scenario } from "./Scenarios.ts"

const [a, b] = ["+14155550101", "+14155550102"]
const stranger = "01936f00-0000-7000-8000-0000000000ff"
const page = { limit: 100, offset: 0 }

const add = (stage: Stage, phone: string, label: string | null = null) =>
  stage.run(Numbers.use((numbers) => numbers.add(stage.tenant, phone, label)))

const other = (stage: Stage) =>
  stage.run(Accounts.use((accounts) => accounts.create({ name: "Other", plan: "free", voiceCampaigns: true })))

describe("caller numbers", () => {
  // Verifies: D-146.
  scenario("are kept as they were given and listed newest first", function* (stage) {
    const first = yield* add(stage, "+1 (415) 555-0101", "Front desk")
    yield* stage.wait(1_000)
    const second = yield* add(stage, b)
    expect(first).toMatchObject({ phone: "+1 (415) 555-0101", label: "Front desk" })
    expect(yield* stage.run(Numbers.use((numbers) => numbers.list(stage.tenant, page)))).toEqual({
      items: [second, first],
      total: 2
    })
    expect(
      (yield* stage.run(Numbers.use((numbers) => numbers.list(stage.tenant, { limit: 1, offset: 1 })))).items
    ).toEqual([first])
  })

  scenario("must be usable", function* (stage) {
    for (const phone of ["12345", "front desk"]) {
      expect(yield* stage.fails(Numbers.use((numbers) => numbers.add(stage.tenant, phone, null)))).toMatchObject({
        _tag: "UnusableNumber",
        field: "phone"
      })
    }
  })

  // Verifies: D-149, D-151.
  scenario("cannot be removed while a campaign that has not ended uses them", function* (stage) {
    const number = yield* add(stage, a)
    const remove = Numbers.use((numbers) => numbers.remove(stage.tenant, number.id))
    const id = yield* stage.draft({ fromNumberId: number.id }, [])
    for (const to of ["scheduled", "running", "paused"] as const) {
      expect(yield* stage.fails(remove)).toMatchObject({ _tag: "StillInUse" })
      yield* stage.move(id, to)
    }
    expect(yield* stage.fails(remove)).toMatchObject({ _tag: "StillInUse" })
    yield* stage.move(id, "running")
    yield* stage.move(id, "completed")
    yield* stage.run(remove)
    expect(yield* stage.fails(remove)).toMatchObject({ _tag: "NumberNotFound" })
  })

  scenario("can be removed once the campaign uses another, is cancelled or gone", function* (stage) {
    const [one, two] = [yield* add(stage, a), yield* add(stage, b)]
    const id = yield* stage.draft({ fromNumberId: one.id }, [])
    yield* stage.change(id, { fromNumberId: two.id })
    yield* stage.run(Numbers.use((numbers) => numbers.remove(stage.tenant, one.id)))
    yield* stage.move(id, "cancelled")
    yield* stage.run(Numbers.use((numbers) => numbers.remove(stage.tenant, two.id)))
    expect((yield* stage.run(Numbers.use((numbers) => numbers.list(stage.tenant, page)))).total).toBe(0)
  })

  scenario("are the account's own", function* (stage) {
    const { id } = yield* add(stage, a)
    const them = yield* other(stage)
    expect(yield* stage.fails(Numbers.use((numbers) => numbers.remove(them.id, id)))).toMatchObject({
      _tag: "NumberNotFound"
    })
    expect(yield* stage.run(Numbers.use((numbers) => numbers.list(them.id, page)))).toEqual({ items: [], total: 0 })
  })
})

describe("voicemail templates", () => {
  // Verifies: D-152.
  scenario("have a text or a recording, not both and not neither, on create and after a change", function* (stage) {
    for (const source of [
      { text: null, audioUrl: null },
      { text: "x", audioUrl: "https://host.example/x.mp3" }
    ]) {
      expect(
        yield* stage.fails(Numbers.use((numbers) => numbers.addTemplate(stage.tenant, { name: "T", ...source })))
      ).toMatchObject({ _tag: "TemplateNeedsOneSource" })
    }
    const template = yield* stage.template("first")
    const change = (fields: { name?: string; text?: string | null; audioUrl?: string | null }) =>
      Numbers.use((numbers) => numbers.changeTemplate(stage.tenant, template.id, fields))
    expect(yield* stage.fails(change({ text: null }))).toMatchObject({ _tag: "TemplateNeedsOneSource" })
    expect(yield* stage.fails(change({ audioUrl: "https://host.example/x.mp3" }))).toMatchObject({
      _tag: "TemplateNeedsOneSource"
    })
    yield* stage.wait(1_000)
    expect(yield* stage.run(change({ text: null, audioUrl: "https://host.example/x.mp3" }))).toMatchObject({
      name: "Template",
      text: null,
      audioUrl: "https://host.example/x.mp3",
      createdAt: template.createdAt,
      updatedAt: template.createdAt + 1_000
    })
    expect(yield* stage.run(change({ name: "Other" }))).toMatchObject({ name: "Other", text: null })
  })

  scenario("are listed newest first and read one by one", function* (stage) {
    const first = yield* stage.template("first")
    yield* stage.wait(1_000)
    const second = yield* stage.template("second")
    expect(yield* stage.run(Numbers.use((numbers) => numbers.listTemplates(stage.tenant, page)))).toEqual({
      items: [second, first],
      total: 2
    })
    expect(yield* stage.run(Numbers.use((numbers) => numbers.getTemplate(stage.tenant, first.id)))).toEqual(first)
  })

  scenario("cannot be removed while a campaign that has not ended uses them", function* (stage) {
    const { id } = yield* stage.template("x")
    const remove = Numbers.use((numbers) => numbers.removeTemplate(stage.tenant, id))
    const campaign = yield* stage.draft({ voicemailTemplateId: id }, [])
    expect(yield* stage.fails(remove)).toMatchObject({ _tag: "StillInUse" })
    yield* stage.move(campaign, "cancelled")
    yield* stage.run(remove)
    expect(yield* stage.fails(remove)).toMatchObject({ _tag: "TemplateNotFound" })
  })

  scenario("are the account's own", function* (stage) {
    const { id } = yield* stage.template("x")
    const them = yield* other(stage)
    const attempts: ReadonlyArray<Attempt> = [
      Numbers.use((numbers) => numbers.getTemplate(them.id, id)),
      Numbers.use((numbers) => numbers.changeTemplate(them.id, id, { name: "y" })),
      Numbers.use((numbers) => numbers.removeTemplate(them.id, id)),
      Numbers.use((numbers) => numbers.getTemplate(stage.tenant, Ids.as(stranger)))
    ]
    for (const attempt of attempts) expect(yield* stage.fails(attempt)).toMatchObject({ _tag: "TemplateNotFound" })
  })
})
