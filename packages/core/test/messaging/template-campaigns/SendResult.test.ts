/** What answers and reports make of a contact and of its campaign: docs/reference/template-campaigns.md#codes. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type SendMeaning, sendMeanings } from "../../../src/messaging/channels/index.ts"
import {
  type ContactAttempts,
  type ContactProgress,
  contactAfterAnswer,
  contactAfterReport,
  contactReasons,
  countsAsFailure,
  invalidInRowLimit,
  pauseOf,
  pauseReasons,
  retriableReasons,
  standardRetryMs
} from "../../../src/messaging/template-campaigns/SendResult.ts"
import { Instant } from "../../../src/platform/kernel/index.ts"

const at = Instant.make(Date.UTC(2026, 10, 22, 9, 30))
const fresh: ContactAttempts = { attempts: 0, pairWaits: 0, hasWaitedForMarketing: false }
const rules = { retryMs: standardRetryMs, retryMarketingLimit: false }
const withRetry = { ...rules, retryMarketingLimit: true }
const { minute } = Instant

const answered = (meanings: ReadonlyArray<SendMeaning>, given = rules): ReadonlyArray<ContactProgress> => {
  const seen: Array<ContactProgress> = []
  for (const meaning of meanings) seen.push(contactAfterAnswer(seen.at(-1) ?? fresh, meaning, given, at))
  return seen
}

/** The wait in milliseconds, or why the contact has failed. */
const fates = (progress: ReadonlyArray<ContactProgress>) =>
  progress.map(({ nextAttemptAt, reason }) => (nextAttemptAt === null ? reason : nextAttemptAt - at))

/** Each meaning: what the first answer makes of the contact, what a report does, and why the campaign pauses. */
const table = {
  throttled: { answer: "queued", report: "platform", pause: null },
  pair_rate: { answer: minute, report: "platform", pause: null },
  passing: { answer: 30_000, report: "platform", pause: null },
  classification: { answer: "queued", report: "platform", pause: "classification" },
  spam_rate: { answer: "queued", report: "platform", pause: "spam_rate" },
  marketing_limit: { answer: "marketing_limit", report: "marketing_limit", pause: null },
  experiment: { answer: "experiment", report: "experiment", pause: null },
  opted_out: { answer: "opted_out", report: "opted_out", pause: null },
  undeliverable: { answer: "undeliverable", report: "undeliverable", pause: null },
  country: { answer: "country", report: "country", pause: null },
  invalid_content: { answer: "invalid_content", report: "invalid_content", pause: null },
  template_missing: { answer: "queued", report: "platform", pause: "template_missing" },
  template_paused: { answer: "queued", report: "platform", pause: "template_paused" },
  template_disabled: { answer: "queued", report: "platform", pause: "template_disabled" },
  flow_blocked: { answer: "queued", report: "platform", pause: "flow_blocked" },
  marketing_not_permitted: { answer: "queued", report: "platform", pause: "marketing_not_permitted" },
  credentials: { answer: "queued", report: "platform", pause: "credentials" },
  payment: { answer: "queued", report: "platform", pause: "payment" },
  account_restricted: { answer: "queued", report: "platform", pause: "account_restricted" },
  rejected: { answer: "rejected", report: "rejected", pause: null }
} as const satisfies Record<SendMeaning, unknown>

describe("what a code means", () => {
  for (const meaning of sendMeanings) {
    const { answer, pause, report } = table[meaning]

    it(`is for a contact whose message is answered with ${meaning}: ${answer}`, () => {
      const after = contactAfterAnswer({ ...fresh, attempts: 0 }, meaning, rules, at)
      if (answer === "queued") {
        expect(after).toEqual({ ...fresh, status: "queued", reason: null, nextAttemptAt: at })
      } else if (typeof answer === "number") {
        expect(after).toMatchObject({ status: "queued", reason: null, attempts: 1, nextAttemptAt: at + answer })
      } else {
        expect(after).toEqual({ ...fresh, status: "failed", reason: answer, attempts: 1, nextAttemptAt: null })
      }
    })

    it(`is for a contact whose message is reported with ${meaning}: failed, ${report}`, () => {
      const sent = { attempts: 2, pairWaits: 1, hasWaitedForMarketing: false }
      expect(contactAfterReport(sent, meaning, rules, at)).toEqual({
        ...sent,
        status: "failed",
        reason: report,
        nextAttemptAt: null
      })
    })

    it(`is for a campaign that hears ${meaning}: ${pause ?? "it goes on"}`, () => {
      expect(pauseOf(meaning)).toBe(pause)
    })
  }

  it("has a contact wait for a network that is out of order by the configured waits, then fail", () => {
    const passing = answered(["passing", "passing", "passing", "passing"])
    expect(fates(passing)).toEqual([30_000, 120_000, 600_000, "platform"])
    expect(passing.map(({ attempts }) => attempts)).toEqual([1, 2, 3, 4])
    expect(fates(answered(["passing"], { ...rules, retryMs: [] }))).toEqual(["platform"])
  })

  it("has a contact that got too many messages wait 1, 4 and 16 minutes, then fail", () => {
    expect(fates(answered(["pair_rate", "pair_rate", "pair_rate", "pair_rate"]))).toEqual([
      minute,
      4 * minute,
      16 * minute,
      "pair_rate"
    ])
  })

  it("counts the waits of one kind apart from those of another", () => {
    expect(fates(answered(["pair_rate", "passing", "throttled", "pair_rate", "passing"]))).toEqual([
      minute,
      30_000,
      0,
      4 * minute,
      120_000
    ])
    expect(fates(answered(["marketing_limit", "passing", "marketing_limit"], withRetry))).toEqual([
      Instant.day,
      30_000,
      "marketing_limit"
    ])
  })

  it("sends a marketing message once more a day later where the campaign asks for it, after an answer or a report", () => {
    const waiting = contactAfterReport({ ...fresh, attempts: 1 }, "marketing_limit", withRetry, at)
    expect(waiting).toEqual({
      status: "queued",
      reason: null,
      attempts: 1,
      nextAttemptAt: at + Instant.day,
      pairWaits: 0,
      hasWaitedForMarketing: true
    })
    expect(contactAfterReport(waiting, "marketing_limit", withRetry, at).reason).toBe("marketing_limit")
    expect(contactAfterAnswer(waiting, "marketing_limit", withRetry, at).reason).toBe("marketing_limit")
  })

  it("leaves a contact of whose message nothing is heard unknown, with the attempts that were answered", () => {
    expect(contactAfterAnswer({ ...fresh, attempts: 2 }, "unknown", rules, at)).toEqual({
      ...fresh,
      status: "unknown",
      reason: null,
      attempts: 2,
      nextAttemptAt: null
    })
  })

  it("ends: a contact whose every request counts is sent to a bounded number of times, whatever is answered", () => {
    const counting = sendMeanings.filter((meaning) => table[meaning].answer !== "queued")
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...counting), { minLength: 8, maxLength: 8 }), (meanings) => {
        let contact: ContactProgress | ContactAttempts = fresh
        let requests = 0
        for (const meaning of meanings) {
          if ("status" in contact && contact.status === "failed") break
          contact = contactAfterAnswer(contact, meaning, withRetry, at)
          requests++
          expect(contact.attempts).toBe(requests)
        }
        expect(contact).toMatchObject({ status: "failed" })
      })
    )
  })
})

describe("reasons", () => {
  it("count as failures, but for those that are the network's or the customer's choice", () => {
    const counting = contactReasons.filter((reason) => countsAsFailure({ status: "failed", reason }))
    expect(contactReasons.filter((reason) => !counting.includes(reason))).toEqual([
      "opted_out",
      "marketing_limit",
      "experiment"
    ])
    expect(countsAsFailure({ status: "skipped", reason: "blocked" })).toBe(false)
    expect(countsAsFailure({ status: "delivered", reason: null })).toBe(false)
  })

  it("of failed contacts may be named for a retry, but for opted_out, undeliverable and outcome_unknown", () => {
    const ofFailures = new Set<string>(
      sendMeanings.flatMap((meaning) => [
        contactAfterReport(fresh, meaning, rules, at).reason ?? "",
        contactAfterAnswer({ ...fresh, attempts: 9, pairWaits: 3 }, meaning, rules, at).reason ?? ""
      ])
    )
    const refused = ["", "opted_out", "undeliverable", "outcome_unknown"]
    expect([...retriableReasons].sort()).toEqual([...ofFailures].filter((reason) => !refused.includes(reason)).sort())
  })

  it("of a pause are all among those that a campaign may have", () => {
    expect(sendMeanings.map(pauseOf).filter((reason) => reason !== null && !pauseReasons.includes(reason))).toEqual([])
    expect(invalidInRowLimit).toBe(20)
  })
})
