/** Answering machines: docs/reference/campaigns.md#machines, docs/reference/telephony.md#voicemail. */

import { Instant, Numbers } from "@trunkline/core/effect"
import { CarrierSilent } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { scenario } from "../calls/Scenarios.ts"

const [a, b] = ["+14155550101", "+14155550102"]

describe("an answering machine", () => {
  // Verifies: C-32, D-80, D-141.
  scenario("is an answer like any other without detection", function* (stage) {
    const template = yield* stage.template("Hello, machine.")
    const id = yield* stage.running({ amdEnabled: false, voicemailTemplateId: template.id }, [a, b])
    yield* stage.rest
    expect(stage.line(a).order.detectMachine).toBe(false)
    yield* stage.answer(a, "machine")
    yield* stage.wait(5_000)
    expect(stage.line(a)).toMatchObject({ message: null, endedAt: null })
    yield* stage.end(a)
    expect(yield* stage.contact(id, a)).toMatchObject({ status: "done", attempts: 1, lastError: null })
    expect(yield* stage.call(a)).toMatchObject({ answeredBy: null, status: "completed" })
    expect(yield* stage.eventNames(yield* stage.call(a))).toEqual(["call.started", "call.completed"])
  })

  // Verifies: C-32, C-36, D-81.
  scenario("hears the template's text with detection on, and its contact is done", function* (stage) {
    const template = yield* stage.template("Please call us back.")
    const id = yield* stage.running({ amdEnabled: true, voicemailTemplateId: template.id }, [a, b])
    yield* stage.rest
    expect(stage.line(a).order.detectMachine).toBe(true)
    yield* stage.answer(a, "machine")
    expect(stage.line(a).message).toEqual({ _tag: "Text", text: "Please call us back." })
    expect(yield* stage.call(a)).toMatchObject({
      status: "completed",
      endReason: "hangup_local",
      answeredBy: "machine"
    })
    expect(yield* stage.contact(id, a)).toMatchObject({ status: "done", attempts: 1, lastError: null })
  })

  scenario("hears the template's recording, where it has one", function* (stage) {
    const template = yield* stage.run(
      Numbers.use((numbers) =>
        numbers.addTemplate(stage.tenant, { name: "Tape", text: null, audioUrl: "https://host.example/tape.mp3" })
      )
    )
    yield* stage.running({ amdEnabled: true, voicemailTemplateId: template.id }, [a])
    yield* stage.rest
    yield* stage.answer(a, "machine")
    expect(stage.line(a).message).toEqual({ _tag: "Audio", url: "https://host.example/tape.mp3" })
  })

  // Verifies: C-37, D-55, D-82.
  scenario("is hung up on without a template, and tried again", function* (stage) {
    const id = yield* stage.running({ amdEnabled: true, maxAttempts: 2 }, [a])
    yield* stage.rest
    yield* stage.answer(a, "machine")
    const at = yield* Instant.now
    expect(stage.line(a)).toMatchObject({ message: null, endedAt: at })
    expect(yield* stage.call(a)).toMatchObject({ status: "completed", endReason: "hangup_local" })
    expect(yield* stage.contact(id, a)).toMatchObject({
      status: "pending",
      attempts: 1,
      lastError: "machine",
      nextAttemptAt: at + 15 * Instant.minute
    })
    yield* stage.wait(15 * 60_000)
    yield* stage.answer(a, "machine")
    expect(yield* stage.contact(id, a)).toMatchObject({ status: "failed", attempts: 2, lastError: "machine" })
  })

  scenario("that turns out to be a person is spoken to", function* (stage) {
    const id = yield* stage.running({ amdEnabled: true }, [a])
    yield* stage.rest
    yield* stage.answer(a, "human")
    yield* stage.wait(10_000)
    expect(stage.line(a).endedAt).toBeNull()
    yield* stage.end(a)
    expect(yield* stage.contact(id, a)).toMatchObject({ status: "done", lastError: null })
    expect(yield* stage.call(a)).toMatchObject({ answeredBy: "human", isWinner: false })
  })

  scenario(
    "that cannot be left its message is hung up on, and tried again",
    function* (stage) {
      const template = yield* stage.template("Hello, machine.")
      const id = yield* stage.running({ amdEnabled: true, voicemailTemplateId: template.id }, [a])
      yield* stage.rest
      yield* stage.answer(a, "machine")
      expect(stage.line(a).endedAt).not.toBeNull()
      expect(yield* stage.contact(id, a)).toMatchObject({ status: "pending", attempts: 1, lastError: "machine" })
    },
    { line: () => ({ leaveMessage: () => Effect.fail(new CarrierSilent({ detail: "timed out" })) }) }
  )

  scenario("whose template is gone by then is hung up on, and tried again", function* (stage) {
    const template = yield* stage.template("Hello, machine.")
    const id = yield* stage.running({ amdEnabled: true, voicemailTemplateId: template.id }, [a, b])
    yield* stage.rest
    yield* stage.change(id, { voicemailTemplateId: null })
    yield* stage.run(Numbers.use((numbers) => numbers.removeTemplate(stage.tenant, template.id)))
    yield* stage.answer(a, "machine")
    expect(stage.line(a)).toMatchObject({ message: null, endedAt: yield* Instant.now })
    expect(yield* stage.contact(id, a)).toMatchObject({ status: "pending", attempts: 1, lastError: "machine" })
  })

  // Verifies: D-165.
  scenario("is reported once per call, when detection resolves, however often the carrier says it", function* (stage) {
    yield* stage.running({ amdEnabled: true }, [a])
    yield* stage.rest
    yield* stage.answerUndetected(a)
    expect(yield* stage.eventNames(yield* stage.call(a))).toEqual(["call.started"])
    yield* stage.detect(a, "human")
    yield* stage.detect(a, "machine")
    yield* stage.end(a)
    const call = yield* stage.call(a)
    expect(yield* stage.eventNames(call)).toEqual(["call.started", "call.amd_detected", "call.completed"])
    const detected = (yield* stage.events).find(({ event }) => event === "call.amd_detected")!
    expect(detected.data).toMatchObject({ id: call.id, answered_by: "human", status: "in_progress" })
  })

  // Verifies: D-8.
  scenario("is treated by the dialing settings with which its call started", function* (stage) {
    const id = yield* stage.running({ amdEnabled: true, maxAttempts: 1 }, [a, b])
    yield* stage.rest
    const template = yield* stage.template("Too late.")
    yield* stage.change(id, { voicemailTemplateId: template.id })
    yield* stage.answer(a, "machine")
    expect(stage.line(a)).toMatchObject({ message: null })
    expect(yield* stage.contact(id, a)).toMatchObject({ status: "failed", lastError: "machine" })
    yield* stage.wait(30_000)
    yield* stage.answer(b, "machine")
    expect(stage.line(b).message).toEqual({ _tag: "Text", text: "Too late." })
  })
})
