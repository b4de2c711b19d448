/** Responses that are kept, continued and referred to: docs/reference/language-models.md#kept-responses. Verifies: LANG-6. */

import { Ids, Instant, type Json, ResponseStore, Storage } from "@trunkline/core/storage"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { Workers } from "../../../../src/host/Workers.ts"
import { eventsOf, failed, type ResponseStage, responseScenario, textUntil } from "./ResponseScenarios.ts"

const credit = 1_000_000_000n
const stranger = Ids.as<"Account">("00000000-0000-7000-8000-000000000001")
const unknownId = `resp_${"0".repeat(32)}`
const reference = (id: unknown) => ({ type: "item_reference", id })
const user = (content: string) => ({ role: "user", content })
const picture = [{ role: "user", content: [{ type: "input_image", image_url: "https://example.com/a.png" }] }]

/** Nothing of the request was asked of anybody, held or charged. */
function* costsNothing({ model, stage }: ResponseStage, asked: number) {
  expect(model.works).toHaveLength(asked)
  const { reserved } = yield* stage.credits
  expect(reserved).toBe(0n)
}

describe("a response", () => {
  // Verifies: G-700, G-709.
  responseScenario("is kept for its account alone, as it was answered", function* (responses) {
    const answered = yield* responses.ask({ input: "hi", metadata: { a: "1" } })
    expect(answered).toMatchObject({ store: true, status: "completed", model: "gpt-5.4", metadata: { a: "1" } })
    expect(yield* responses.get(answered.id)).toEqual(answered)
    expect(yield* responses.codeOf(answered.id, stranger)).toBe("not_found")
  })

  // Verifies: G-700, G-709.
  responseScenario(
    "of a translated request is kept too",
    function* (responses) {
      const answered = yield* responses.ask({ input: "hi" })
      expect(answered).toMatchObject({ store: true, previous_response_id: null })
      expect(yield* responses.get(answered.id)).toEqual(answered)
    },
    { apis: ["chat_completions"] }
  )

  for (const apis of [["responses"], ["chat_completions"], ["messages"]] as const) {
    // Verifies: G-702.
    responseScenario(
      `that is streamed from an upstream of ${apis[0]} is kept as its last event had it, by the time of that event`,
      function* (responses) {
        const { stage } = responses
        const outcome = yield* stage.run(responses.asking({ input: "hi", stream: true }))
        const events = eventsOf(yield* textUntil(outcome, '"response.completed"'))
        const last = events.at(-1)!.response as Json
        expect(yield* responses.get(last.id)).toEqual(last)
        expect(last).toMatchObject({ status: "completed", store: true })
        expect((yield* stage.credits).balance).toBeLessThan(1000n * credit)
        expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, nth) => nth))
      },
      { apis }
    )
  }

  // Verifies: G-702.
  responseScenario("that cannot be billed ends its stream with an error, and is not kept", function* (responses) {
    const { model, stage } = responses
    model.does((work) => Effect.tap(model.answer(work), () => Effect.sync(() => (stage.isDown = true))))
    const running = yield* Effect.forkChild(responses.text({ input: "hi", stream: true }))
    yield* stage.elapse(10_000, 100)
    const events = eventsOf((yield* Fiber.join(running as Fiber.Fiber<string>)) as string)
    stage.isDown = false
    expect(events.slice(-2).map(({ type }) => type)).toEqual(["response.failed", "error"])
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, nth) => nth))
    expect(yield* responses.codeOf((events.at(-2)!.response as Json).id)).toBe("not_found")
  })

  // Verifies: G-701.
  responseScenario("that is not to be kept is not, and says so", function* (responses) {
    for (const stream of [false, true]) {
      const answered = yield* responses.ask({ input: "hi", store: false, stream })
      expect(answered.store).toBe(false)
      expect(yield* responses.codeOf(answered.id)).toBe("not_found")
    }
  })

  // Verifies: G-701.
  responseScenario(
    "is never kept where responses are kept for no days",
    function* (responses) {
      for (const stream of [false, true]) {
        const answered = yield* responses.ask({ input: "hi", store: true, stream })
        expect(answered.store).toBe(false)
        expect(yield* responses.codeOf(answered.id)).toBe("not_found")
        const next = { input: "and", previous_response_id: answered.id }
        expect(yield* responses.refused(next)).toMatchObject({ status: 404, param: "previous_response_id" })
      }
    },
    { days: 0 }
  )

  // Verifies: G-701.
  responseScenario("is never kept by the upstream, and nothing there refers to ours", function* (responses) {
    const { id } = yield* responses.ask({ input: "hi", metadata: { a: "1" } })
    yield* responses.ask({ input: "and", previous_response_id: id, store: true })
    for (const { body } of responses.model.works) {
      expect(body.store).toBe(false)
      expect(Object.keys(body)).not.toContain("previous_response_id")
      expect(Object.keys(body)).not.toContain("metadata")
      expect(JSON.stringify(body)).not.toContain("resp_")
    }
  })

  // Verifies: G-703.
  responseScenario("whose stream broke off is not kept", function* (responses) {
    const { model } = responses
    model.does((work) =>
      Effect.andThen(
        model.answer(work, (all) => all.slice(0, -1)),
        Effect.fail(failed("failed"))
      )
    )
    const events = eventsOf(yield* responses.text({ input: "hi", stream: true }))
    expect(events.at(-1)).toMatchObject({ type: "error", code: "upstream_error" })
    const { id } = events[0]!.response as Json
    expect(yield* responses.codeOf(id)).toBe("not_found")
    yield* costsNothing(responses, 1)
  })

  // Verifies: G-703.
  responseScenario("whose client has left in the middle is kept with an Idempotency-Key alone", function* (responses) {
    const { model, stage } = responses
    for (const key of [undefined, "a key"]) {
      const goOn = Deferred.makeUnsafe<void>()
      model.does((work) =>
        Effect.gen(function* () {
          yield* model.answer(work, (all) => all.slice(0, 3))
          yield* Deferred.await(goOn)
          return yield* model.answer(work, (all) => all.slice(3))
        })
      )
      const asked = key === undefined ? {} : { key }
      const outcome = yield* stage.run(responses.asking({ input: "hi", stream: true }, asked))
      if (outcome._tag === "Whole") throw new Error("it was answered as a whole")
      const { abandon, outlet } = outcome
      yield* abandon
      yield* Deferred.succeed(goOn, undefined)
      yield* stage.elapse(10, 1)
      expect(yield* responses.codeOf(outlet.position.response.id), key).toBe(key === undefined ? "not_found" : null)
    }
  })

  // Verifies: G-716.
  responseScenario("is kept once, whatever is sent again under one Idempotency-Key", function* (responses) {
    for (const stream of [false, true]) {
      const key = `key ${stream}`
      const first = yield* responses.text({ input: "hi", stream }, { key })
      expect(yield* responses.text({ input: "hi", stream }, { key })).toBe(first)
      const { id } = stream ? (eventsOf(first).at(-1)!.response as Json) : JSON.parse(first)
      yield* responses.remove(id)
      expect(yield* responses.text({ input: "hi", stream }, { key })).toBe(first)
      expect(yield* responses.codeOf(id)).toBe("not_found")
    }
    expect(responses.model.works).toHaveLength(2)
  })
})

describe("a response that continues another one", () => {
  for (const apis of [["responses"], ["chat_completions"]] as const) {
    // Verifies: G-704.
    responseScenario(
      `from an upstream of ${apis[0]} follows its input, with all before it, and its output, without its instructions`,
      function* (responses) {
        const { model } = responses
        model.says("one", "two", "three")
        const sent = () => {
          const { input, instructions, messages } = model.works.at(-1)!.body
          return JSON.stringify([instructions, input ?? messages])
        }
        const first = yield* responses.ask({ input: "A", instructions: "Be brief." })
        const second = yield* responses.ask({ input: [user("B")], previous_response_id: first.id, stream: true })
        expect(sent()).toMatch(/"A".*"one".*"B"/)
        expect(sent()).not.toContain("brief")
        expect(second.previous_response_id).toBe(first.id)
        yield* responses.ask({ input: "C", previous_response_id: second.id })
        expect(sent()).toMatch(/"A".*"one".*"B".*"two".*"C"/)
        expect((yield* responses.inputItems(second.id)).data).toHaveLength(1)
      },
      { apis }
    )
  }

  // Verifies: G-704.
  responseScenario("of one that was kept follows it also where it is not kept itself", function* (responses) {
    const first = yield* responses.ask({ input: "A" })
    yield* responses.ask({ input: "B", previous_response_id: first.id, store: false })
    expect(responses.sent).toEqual(["A", "hello", "B"])
  })

  // Verifies: G-704, G-711.
  responseScenario("stays whole where the ones before it are deleted or have expired", function* (responses) {
    const first = yield* responses.ask({ input: "A" })
    yield* TestClock.adjust(20 * Instant.day)
    const second = yield* responses.ask({ input: "B", previous_response_id: first.id })
    yield* responses.remove(first.id)
    yield* TestClock.adjust(20 * Instant.day)
    yield* responses.kept(({ sweep }) => sweep)
    yield* responses.ask({ input: "C", previous_response_id: second.id })
    expect(responses.sent).toEqual(["A", "hello", "B", "hello", "C"])
  })

  // Verifies: G-705, G-714.
  responseScenario("of one that is not there is refused before anything is spent", function* (responses) {
    const first = yield* responses.ask({ input: "A" })
    const other = yield* responses.ask({ input: "A", store: false })
    const deleted = yield* responses.ask({ input: "A" })
    yield* responses.remove(deleted.id)
    for (const previous_response_id of [unknownId, "", "resp_1", "msg_there_1", other.id, deleted.id]) {
      expect(
        yield* responses.refused({ input: "B", previous_response_id }),
        String(previous_response_id)
      ).toMatchObject({
        status: 404,
        code: "not_found",
        param: "previous_response_id"
      })
    }
    yield* responses.stage.leaveCredit(0n)
    const refusedWith = (body: Json) => Effect.map(responses.refused({ input: "B", ...body }), ({ code }) => code)
    expect(yield* refusedWith({ previous_response_id: unknownId })).toBe("not_found")
    expect(yield* refusedWith({ previous_response_id: first.id })).toBe("insufficient_credits")
    expect(yield* refusedWith({ previous_response_id: unknownId, max_output_tokens: 10_000_000 })).toBe(
      "max_tokens_too_large"
    )
    expect(yield* refusedWith({ previous_response_id: unknownId, model: "nobody" })).toBe("model_not_found")
    yield* costsNothing(responses, 3)
  })

  // Verifies: G-705.
  responseScenario("of another account is refused", function* (responses) {
    const first = yield* responses.ask({ input: "A" })
    const body = { input: "B", previous_response_id: first.id }
    expect(yield* responses.refused(body, { tenantId: stranger })).toMatchObject({ status: 404 })
    expect(yield* responses.refused({ input: [reference("msg_there_1")] }, { tenantId: stranger })).toMatchObject({
      status: 404,
      param: "input"
    })
    yield* costsNothing(responses, 1)
  })

  // Verifies: G-708.
  responseScenario("holds the tokens of what stands before it", function* (responses) {
    const { model, stage } = responses
    const held = Effect.fnUntraced(function* (body: Json) {
      const door = Deferred.makeUnsafe<void>()
      const begun = Deferred.makeUnsafe<void>()
      model.does((work) =>
        Effect.andThen(Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(door)), model.answer(work))
      )
      const running = yield* Effect.forkChild(responses.ask(body))
      yield* Deferred.await(begun)
      const { reserved } = yield* stage.credits
      yield* Deferred.succeed(door, undefined)
      yield* Fiber.join(running)
      return reserved
    })
    const { id } = yield* responses.ask({ input: "x".repeat(100_000) })
    const alone = yield* held({ input: "B" })
    const after = yield* held({ input: "B", previous_response_id: id })
    const referred = yield* held({ input: [user("x".repeat(100_000)), user("hello"), user("B")] })
    expect(after).toBe(referred)
    expect(after).toBeGreaterThan(10n * alone)
  })

  // Verifies: G-708.
  responseScenario("shows the pictures before it to a model that reads them alone", function* (responses) {
    const { id } = yield* responses.ask({ input: picture })
    expect(yield* responses.refused({ model: "oss-120b", input: "B", previous_response_id: id })).toMatchObject({
      status: 400,
      param: "input"
    })
    yield* responses.ask({ input: "B", previous_response_id: id })
    expect(responses.sent).toEqual(["input_image", "hello", "B"])
  })
})

describe("a reference to an item", () => {
  // Verifies: G-706.
  responseScenario("stands for one of the input or the output of any kept response", function* (responses) {
    const first = yield* responses.ask({ input: [user("A"), { id: "msg_own", ...user("B") }] })
    const [own] = (yield* responses.inputItems(first.id)).data
    const second = yield* responses.ask({
      input: [reference(own!.id), reference("msg_there_1"), { id: "msg_own" }, user("C")]
    })
    expect(responses.sent).toEqual(["A", "hello", "B", "C"])
    // Ids of ours mean nothing to an upstream.
    expect(JSON.stringify(responses.model.works.at(-1)!.body)).not.toContain(own!.id)
    const items = (yield* responses.inputItems(second.id)).data
    expect(items.map(({ id }) => id)).toEqual([own!.id, "msg_there_1", "msg_own", expect.stringMatching(/^msg_/)])
    yield* responses.remove(first.id)
    yield* responses.ask({ input: [reference(own!.id), user("D")] })
    expect(responses.sent).toEqual(["A", "D"])
  })

  // Verifies: G-706.
  responseScenario("to one that is not kept is refused before anything is spent", function* (responses) {
    const first = yield* responses.ask({ input: "A" })
    yield* responses.remove(first.id)
    for (const id of ["msg_none", "msg_there_1", "x".repeat(100_000), undefined]) {
      const refused = yield* responses.refused({ input: [user("B"), reference(id)] })
      expect(refused).toMatchObject({ status: 404, code: "not_found", param: "input" })
      expect(refused.detail.length).toBeLessThan(300)
    }
    yield* costsNothing(responses, 1)
  })

  // Verifies: G-707.
  responseScenario("to reasoning that no upstream takes back is left out, as such reasoning is", function* (responses) {
    const { model } = responses
    const reasoning = { type: "reasoning", id: "rs_1", summary: [] }
    const sealed = { ...reasoning, id: "rs_2", encrypted_content: "sealed" }
    model.does((work) =>
      Effect.map(model.answer(work), ({ json, ...rest }) => ({
        ...rest,
        json: { ...json, output: [reasoning, sealed, ...(json!.output as ReadonlyArray<Json>)] }
      }))
    )
    const { id } = yield* responses.ask({ input: [reasoning, user("A")] })
    expect(responses.sent).toEqual(["A"])
    yield* responses.ask({ input: "B", previous_response_id: id })
    expect(responses.sent).toEqual(["A", "reasoning", "hello", "B"])
    yield* responses.ask({ input: [reference("rs_1"), reference("rs_2"), user("C")] })
    expect(responses.sent).toEqual(["reasoning", "C"])
  })
})

describe("a kept response", () => {
  // Verifies: G-710.
  responseScenario("has an input of which each item has an id", function* (responses) {
    const input = [
      user("A"),
      { type: "function_call_output", call_id: "c", output: "x" },
      { id: "msg_own", ...user("B") }
    ]
    const { id } = yield* responses.ask({ input })
    const { data } = yield* responses.inputItems(id)
    expect(data.map((item) => item.id)).toEqual([
      expect.stringMatching(/^msg_[0-9a-f]{32}$/),
      expect.stringMatching(/^fco_[0-9a-f]{32}$/),
      "msg_own"
    ])
    expect(data[0]).toMatchObject({ type: "message", role: "user", content: [{ type: "input_text", text: "A" }] })
    const page = yield* responses.inputItems(id, { order: "desc", limit: 1, after: "msg_own" })
    expect(page).toEqual({
      object: "list",
      data: [data[1]],
      first_id: data[1]!.id,
      last_id: data[1]!.id,
      has_more: true
    })
    const outside = { limit: 1, order: "asc", after: "nobody" } as const
    const refused = yield* responses.stage.fails(
      responses.kept((kept) => kept.inputItems(responses.stage.tenant, String(id), outside))
    )
    expect(refused).toMatchObject({ code: "not_found", param: "after" })
  })

  // Verifies: G-711.
  responseScenario("is deleted by its account alone, once", function* (responses) {
    const { id } = yield* responses.ask({ input: "A" })
    const removing = (tenantId: Ids.AccountId) => Effect.flip(responses.remove(id, tenantId))
    expect(yield* removing(stranger)).toMatchObject({ code: "not_found" })
    yield* responses.remove(id)
    expect(yield* removing(responses.stage.tenant)).toMatchObject({ code: "not_found" })
    expect(yield* responses.codeOf(id)).toBe("not_found")
    expect(yield* Effect.flip(responses.inputItems(id))).toMatchObject({ code: "not_found" })
  })

  for (const days of [1, undefined]) {
    // Verifies: G-712.
    responseScenario(
      `is there for ${days ?? "30, the default,"} days to the millisecond, and then the worker removes it`,
      function* (responses) {
        const { stage } = responses
        const { id } = yield* responses.ask({ input: "A" })
        const rows = stage.look(
          Effect.gen(function* () {
            const store = yield* ResponseStore
            return yield* (yield* Storage).read(store.find(stage.tenant, String(id), Instant.make(0)))
          })
        )
        yield* TestClock.adjust((days ?? 30) * Instant.day - 1)
        yield* responses.kept(({ sweep }) => sweep)
        expect(yield* responses.codeOf(id)).toBeNull()
        yield* TestClock.adjust(1)
        expect(yield* responses.codeOf(id)).toBe("not_found")
        expect(yield* rows).not.toBeNull()
        const next = { input: "B", previous_response_id: id }
        expect(yield* responses.refused(next)).toMatchObject({ status: 404 })
        expect(yield* responses.refused({ input: [reference("msg_there_1")] })).toMatchObject({ status: 404 })
        yield* stage.run(Workers.use((workers) => workers.start))
        yield* stage.elapse(Instant.minute + 1, Instant.minute)
        expect(yield* rows).toBeNull()
      },
      days === undefined ? {} : { days }
    )
  }
})
