/** Parallel mode: docs/reference/campaigns.md#parallel. */
import { Instant } from "@trunkline/core/effect"
import { describe, expect } from "vitest"
import { scenario } from "../calls/Scenarios.ts"

const [a, b, c, d, e] = ["+14155550101", "+14155550102", "+14155550103", "+14155550104", "+14155550105"]

const rows = (contacts: ReadonlyArray<{ status: string; attempts: number; lastError: string | null }>) =>
  contacts.map(({ attempts, lastError, status }) => [status, attempts, lastError])

describe("a parallel dial", () => {
  // Verifies: C-31, C-51, D-69, D-71.
  scenario("calls as many people at once as there are lines, under one id, without a pace", function* (stage) {
    const id = yield* stage.running({ dialMode: "parallel", parallelLines: 3, paceSeconds: 3600 }, [a, b, c, d])
    yield* stage.rest
    expect(stage.dialed).toEqual([a, b, c])
    const calls = yield* stage.calls()
    expect(new Set(calls.map(({ burstId }) => burstId)).size).toBe(1)
    expect(calls[0]!.burstId).not.toBeNull()
    for (const phone of [a, b, c]) yield* stage.end(phone, "busy")
    expect(stage.dialed).toEqual([a, b, c, d])
    expect((yield* stage.call(d)).burstId).not.toBe(calls[0]!.burstId)
    expect((yield* stage.campaign(id)).status).toBe("running")
  })

  scenario("of one line has an id of its own, too", function* (stage) {
    yield* stage.running({ dialMode: "parallel", parallelLines: 1 }, [a, b])
    yield* stage.rest
    expect(stage.dialed).toEqual([a])
    yield* stage.completeCall(a, 5)
    expect(yield* stage.call(a)).toMatchObject({ isWinner: true, burstId: expect.any(String) })
    expect(stage.dialed).toEqual([a, b])
  })

  // Verifies: C-52, D-11, D-72, D-74, D-75, D-76.
  scenario("is won by the first answer; the other legs are hung up at once", function* (stage) {
    const id = yield* stage.running({ dialMode: "parallel", parallelLines: 3 }, [a, b, c])
    yield* stage.rest
    yield* stage.ring(a)
    yield* stage.ring(b)
    yield* stage.answer(b)
    const at = yield* Instant.now
    expect(stage.network.log.filter(({ kind }) => kind === "end").map(({ at, to }) => [to, at])).toEqual(
      expect.arrayContaining([
        [a, at],
        [c, at]
      ])
    )
    expect(stage.line(a).endedAt).toBe(at)
    expect(stage.line(b).endedAt).toBeNull()
    expect((yield* stage.calls()).map(({ endReason, isWinner, status }) => [status, endReason, isWinner])).toEqual([
      ["canceled", "lost_race", false],
      ["in_progress", null, true],
      ["canceled", "lost_race", false]
    ])
    expect(rows(yield* stage.contacts(id))).toEqual([
      // It rang: an attempt, tried again as after no answer.
      ["pending", 1, "canceled"],
      ["calling", 0, null],
      // It did not ring: no attempt.
      ["pending", 0, "canceled"]
    ])
    const [rangOut, , untouched] = yield* stage.contacts(id)
    expect(rangOut!.nextAttemptAt).toBe(at + 15 * Instant.minute)
    expect(untouched!.nextAttemptAt).toBe(at)
  })

  // Verifies: D-77.
  scenario("is followed by the next one when the winner's call is over, and not before", function* (stage) {
    yield* stage.running({ dialMode: "parallel", parallelLines: 2 }, [a, b, c, d])
    yield* stage.rest
    yield* stage.ring(b)
    yield* stage.answer(a)
    yield* stage.wait(40 * 60_000)
    expect(stage.dialed).toEqual([a, b])
    yield* stage.end(a)
    // The loser's retry came due during the conversation and is first.
    expect(stage.dialed).toEqual([a, b, b, c])
  })

  // Verifies: D-77.
  scenario("waits for its last leg also when the winner has hung up", function* (stage) {
    stage.stubborn.add(b)
    yield* stage.running({ dialMode: "parallel", parallelLines: 2 }, [a, b, c])
    yield* stage.rest
    yield* stage.ring(b)
    yield* stage.answer(a)
    yield* stage.end(a)
    expect(stage.dialed).toEqual([a, b])
    yield* stage.end(b, "canceled")
    expect(stage.dialed).toEqual([a, b, c])
  })

  scenario("without a winner is over with its last leg", function* (stage) {
    const id = yield* stage.running({ dialMode: "parallel", parallelLines: 2, maxAttempts: 1 }, [a, b, c])
    yield* stage.rest
    yield* stage.end(a, "busy")
    expect(stage.dialed).toEqual([a, b])
    yield* stage.wait(30_000)
    expect(stage.dialed).toEqual([a, b])
    yield* stage.end(b, "no_answer")
    expect(stage.dialed).toEqual([a, b, c])
    expect(rows(yield* stage.contacts(id)).slice(0, 2)).toEqual([
      ["failed", 1, "busy"],
      ["failed", 1, "no_answer"]
    ])
  })

  // Verifies: D-73, D-174.
  scenario("has one winner when two answer at the same instant; the other one was abandoned", function* (stage) {
    const id = yield* stage.running({ dialMode: "parallel", parallelLines: 2 }, [a, b])
    yield* stage.rest
    const at = yield* Instant.now
    stage.network.answer(stage.line(b), "human", at)
    stage.network.answer(stage.line(a), "human", at)
    yield* stage.rest
    const calls = yield* stage.calls()
    expect(calls.filter(({ isWinner }) => isWinner)).toHaveLength(1)
    expect(calls.find(({ isWinner }) => !isWinner)).toMatchObject({
      status: "completed",
      endReason: "lost_race",
      abandoned: true
    })
    const loser = calls.find(({ isWinner }) => !isWinner)!
    expect(yield* stage.contact(id, loser.to)).toMatchObject({
      status: "pending",
      attempts: 1,
      lastError: "canceled",
      nextAttemptAt: at + 15 * Instant.minute
    })
  })

  // Verifies: D-78.
  scenario("hangs up a leg that is answered after the winner, and counts it as abandoned", function* (stage) {
    stage.stubborn.add(b)
    const id = yield* stage.running({ dialMode: "parallel", parallelLines: 2 }, [a, b])
    yield* stage.rest
    yield* stage.answer(a)
    // The carrier was asked to cancel, and the callee was faster.
    stage.stubborn.delete(b)
    yield* stage.answer(b)
    yield* stage.wait(20_000)
    expect(stage.line(b).endedAt).not.toBeNull()
    expect(yield* stage.call(b)).toMatchObject({ status: "completed", abandoned: true, isWinner: false })
    expect(yield* stage.contact(id, b)).toMatchObject({ status: "pending", attempts: 1, lastError: "canceled" })
    expect(yield* stage.call(a)).toMatchObject({ status: "in_progress", isWinner: true })
  })

  scenario("knows an abandoned leg also when the report of its answer was lost", function* (stage) {
    stage.stubborn.add(b)
    yield* stage.running({ dialMode: "parallel", parallelLines: 2 }, [a, b])
    yield* stage.rest
    yield* stage.answer(a)
    yield* stage.losing(stage.answer(b))
    yield* stage.wait(3_000)
    yield* stage.end(b)
    expect(yield* stage.call(b)).toMatchObject({ status: "completed", isWinner: false, abandoned: true })
  })

  // Verifies: D-71.
  scenario("gives the place of somebody who may not be called to the next on the list", function* (stage) {
    const id = yield* stage.running({ dialMode: "parallel", parallelLines: 3 }, [a, b, c, d, e])
    yield* stage.suppress(a, c)
    yield* stage.rest
    expect(stage.dialed).toEqual([b, d, e])
    expect(new Set((yield* stage.calls()).map(({ burstId }) => burstId)).size).toBe(1)
    expect(rows(yield* stage.contacts(id)).slice(0, 3)).toEqual([
      ["failed", 0, "do_not_call"],
      ["calling", 0, null],
      ["failed", 0, "do_not_call"]
    ])
  })

  // Verifies: D-7.
  scenario("has as many lines as the dialing settings allow when it begins", function* (stage) {
    const id = yield* stage.running({ dialMode: "parallel", parallelLines: 2 }, [a, b, c, d])
    yield* stage.rest
    yield* stage.change(id, { parallelLines: 5 })
    yield* stage.rest
    expect(stage.dialed).toEqual([a, b])
    yield* stage.end(a, "busy")
    yield* stage.end(b, "busy")
    expect(stage.dialed).toEqual([a, b, c, d])
  })

  // Verifies: C-43, D-4, D-70.
  scenario("is followed by single calls when the campaign leaves parallel mode", function* (stage) {
    const id = yield* stage.running({ dialMode: "parallel", parallelLines: 2, paceSeconds: 5 }, [a, b, c, d])
    yield* stage.rest
    const changed = yield* stage.change(id, { dialMode: "power" })
    expect(changed).toMatchObject({ dialMode: "power", parallelLines: 1 })
    yield* stage.answer(a)
    expect(yield* stage.call(a)).toMatchObject({ isWinner: true })
    yield* stage.end(a)
    yield* stage.wait(5_000)
    expect(stage.dialed.slice(2)).toEqual([b])
    expect((yield* stage.call(b)).burstId).toBeNull()
  })
})

describe("a parallel dial with machine detection", () => {
  const settings = { dialMode: "parallel", parallelLines: 3, amdEnabled: true } as const

  // Verifies: D-72.
  scenario("is won by the first human, not by the first answer", function* (stage) {
    const id = yield* stage.running(settings, [a, b, c])
    yield* stage.rest
    yield* stage.ring(c)
    yield* stage.answer(a, "machine")
    expect((yield* stage.calls()).filter(({ isWinner }) => isWinner)).toEqual([])
    yield* stage.answer(b, "human")
    expect(yield* stage.call(b)).toMatchObject({ isWinner: true, answeredBy: "human" })
    expect(yield* stage.call(c)).toMatchObject({ status: "canceled", endReason: "lost_race" })
    expect(yield* stage.call(a)).toMatchObject({ isWinner: false, abandoned: false, answeredBy: "machine" })
    yield* stage.end(b)
    expect(rows(yield* stage.contacts(id))).toEqual([
      ["pending", 1, "machine"],
      ["done", 1, null],
      ["pending", 1, "canceled"]
    ])
  })

  scenario("is won by an answer of which detection makes nothing", function* (stage) {
    yield* stage.running(settings, [a, b])
    yield* stage.rest
    yield* stage.answer(a, "unknown")
    expect(yield* stage.call(a)).toMatchObject({ isWinner: true, answeredBy: "unknown" })
    expect(yield* stage.call(b)).toMatchObject({ status: "canceled" })
  })

  scenario("is not won by an answer before detection has spoken", function* (stage) {
    yield* stage.running(settings, [a, b])
    yield* stage.rest
    yield* stage.answerUndetected(a)
    expect((yield* stage.calls()).map(({ isWinner, status }) => [status, isWinner])).toEqual([
      ["in_progress", false],
      ["queued", false]
    ])
    yield* stage.detect(a, "human")
    expect(yield* stage.call(a)).toMatchObject({ isWinner: true })
  })

  scenario(
    "is won by a person who hangs up before detection has spoken, and who is not called again",
    function* (stage) {
      const id = yield* stage.running(settings, [a, b])
      yield* stage.rest
      yield* stage.answerUndetected(a)
      yield* stage.wait(1_000)
      yield* stage.end(a)
      expect(yield* stage.call(a)).toMatchObject({ status: "completed", isWinner: true, abandoned: false })
      expect(yield* stage.contact(id, a)).toMatchObject({ status: "done", attempts: 1, lastError: null })
    }
  )

  scenario("does not blame a machine that was detected after the race for being abandoned", function* (stage) {
    const id = yield* stage.running(settings, [a, b])
    yield* stage.rest
    yield* stage.answerUndetected(a)
    stage.stubborn.add(a)
    yield* stage.answer(b, "human")
    yield* stage.detect(a, "machine")
    stage.stubborn.delete(a)
    yield* stage.wait(20_000)
    expect(yield* stage.call(a)).toMatchObject({ status: "completed", answeredBy: "machine", abandoned: false })
    expect(yield* stage.contact(id, a)).toMatchObject({ status: "pending", attempts: 1 })
  })

  scenario("goes on without a winner when only machines answer", function* (stage) {
    yield* stage.running({ ...settings, parallelLines: 2 }, [a, b, c])
    yield* stage.rest
    yield* stage.answer(a, "machine")
    yield* stage.answer(b, "machine")
    expect(stage.dialed).toEqual([a, b, c])
    expect((yield* stage.calls()).filter(({ isWinner }) => isWinner)).toEqual([])
  })

  scenario(
    "lets a machine hear its message while the others ring, and cuts it when one of them wins",
    function* (stage) {
      const template = yield* stage.template("We shall call again.")
      const id = yield* stage.running({ ...settings, voicemailTemplateId: template.id }, [a, b])
      yield* stage.rest
      stage.slowMessages = true
      yield* stage.answer(a, "machine")
      expect(stage.line(a).message).toEqual({ _tag: "Text", text: "We shall call again." })
      expect(stage.line(a).endedAt).toBeNull()
      yield* stage.answer(b, "human")
      expect(yield* stage.call(a)).toMatchObject({ status: "completed", endReason: "lost_race", abandoned: false })
      expect(yield* stage.contact(id, a)).toMatchObject({ status: "pending", attempts: 1, lastError: "machine" })
      expect(yield* stage.call(b)).toMatchObject({ isWinner: true })
    }
  )
})
