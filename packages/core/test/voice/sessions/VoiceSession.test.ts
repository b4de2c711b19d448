/** The life of a voice session: docs/reference/voice.md#states, #reasons. */

import { Ids, Instant } from "@trunkline/core/effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { eventsOf } from "../../../src/voice/sessions/VoiceEvents.ts"
import {
  begin,
  connect,
  endOf,
  endStatusOf,
  isEnded,
  lapse,
  moves,
  usableToken,
  type VoiceSession,
  type VoiceStatus
} from "../../../src/voice/sessions/VoiceSession.ts"

const t0 = Instant.make(1_780_000_000_000)
const after = (seconds: number) => Instant.plus(t0, seconds * 1000)

const created: VoiceSession = begin(
  {
    id: Ids.as("01936f00-0000-7000-8000-000000000001"),
    tenantId: Ids.as("01936f00-0000-7000-8000-000000000002"),
    keyId: null,
    botId: Ids.as("01936f00-0000-7000-8000-000000000003"),
    maxDurationSeconds: 1800,
    callId: null,
    sttModel: "ink-2",
    language: "hi",
    llmModel: null,
    ttsModel: null,
    voice: null,
    variables: {},
    metadata: {}
  },
  { encrypted: "vst_secret", digest: "a digest" },
  t0
)
const active = connect(created, after(10))!

/** Every row of the table, and words that stand in none of its first two. */
const table: ReadonlyArray<readonly [reason: string, status: VoiceStatus, event: string]> = [
  ...[
    "agent_error",
    "start_failed",
    "invalid_settings",
    "concurrency_limit",
    "model_unavailable",
    "non_settings_message_before_settings"
  ].map((reason) => [reason, "failed", "voice_session.failed"] as const),
  ...["timeout", "token_expired"].map((reason) => [reason, "timeout", "voice_session.failed"] as const),
  ...[
    "caller_hangup",
    "participant_disconnect",
    "client_disconnect",
    "agent_closed",
    "max_duration",
    "no_input",
    "handoff",
    "budget_exhausted",
    "api_delete",
    "a reason of the host's own",
    "Agent_Error",
    "constructor",
    "__proto__",
    "toString"
  ].map((reason) => [reason, "completed", "voice_session.ended"] as const)
]

describe("the end of a voice session", () => {
  // Verifies: G-248, W-160, W-161, W-162.
  it.each(table)("with the reason %s is %s, and publishes %s once", (reason, status, event) => {
    for (const session of [created, active]) {
      const ended = endOf(session, reason, after(20))!
      expect(ended).toMatchObject({
        status,
        endReason: reason,
        endedAt: after(20),
        token: null,
        tokenDigest: null,
        dueAt: null
      })
      expect(eventsOf(ended).map(({ event: name }) => name)).toEqual([event])
      expect(eventsOf(ended)[0]!.data).toMatchObject({ status, end_reason: reason })
      for (const [other] of table) expect(endOf(ended, other, after(30))).toBeNull()
    }
  })

  it("counts real seconds from its connection; a session that was never connected lasted 0", () => {
    expect(endOf(active, "caller_hangup", after(22.4))?.durationSeconds).toBe(12)
    expect(endOf(active, "caller_hangup", after(22.6))?.durationSeconds).toBe(13)
    expect(endOf(created, "api_delete", after(22))?.durationSeconds).toBe(0)
  })

  it("lies never before its beginning, whatever the clock of the process says", () => {
    expect(endOf(active, "caller_hangup", after(3))).toMatchObject({ endedAt: active.startedAt, durationSeconds: 0 })
    expect(endOf(created, "api_delete", after(-3))).toMatchObject({ endedAt: t0, durationSeconds: 0 })
  })

  it("is never refused for its reason: a long one is cut, and an empty one has a word", () => {
    expect(endOf(active, "x".repeat(65), after(20))?.endReason).toBe("x".repeat(64))
    expect(endOf(active, "👋".repeat(65), after(20))?.endReason).toBe("👋".repeat(64))
    for (const empty of ["", "  "]) expect(endOf(active, empty, after(20))?.endReason).toBe("unspecified")
    expect(endOf(active, " timeout ", after(20))).toMatchObject({ endReason: "timeout", status: "timeout" })
  })

  it("comes by itself a minute after its creation when nobody connects", () => {
    expect(created.dueAt).toBe(after(60))
    expect(lapse(created)).toMatchObject({
      status: "timeout",
      endReason: "token_expired",
      endedAt: after(60),
      durationSeconds: 0
    })
  })

  it("comes by itself at its maximum, and is looked for when the media layer has had time to report it", () => {
    expect(active.dueAt).toBe(after(10 + 1800 + 5))
    expect(lapse(active)).toMatchObject({
      status: "timeout",
      endReason: "timeout",
      endedAt: after(10 + 1800),
      durationSeconds: 1800
    })
    expect(lapse(lapse(active)!)).toBeNull()
  })
})

describe("the token of a voice session", () => {
  // Verifies: D-212.
  it("can be used for 60 seconds, until the session is connected or has ended", () => {
    expect(usableToken(created, after(59.999))).toBe("vst_secret")
    expect(usableToken(created, after(60))).toBeNull()
    for (const session of [active, endOf(created, "api_delete", after(1))!]) {
      expect([session.token, session.tokenDigest]).toEqual([null, null])
      expect(usableToken({ ...session, token: "vst_secret" }, after(1))).toBeNull()
    }
  })

  it("stands in no event", () => {
    const sessions = [active, endOf(created, "agent_error", after(1))!, lapse(active)!]
    expect(JSON.stringify(sessions.flatMap((session) => eventsOf({ ...session, token: "vst_secret" })))).not.toContain(
      "vst_secret"
    )
    expect(eventsOf(created)).toEqual([])
  })
})

describe("connecting a voice session", () => {
  it("makes it active, and reports its start", () => {
    expect(active).toMatchObject({ status: "active", startedAt: after(10), endedAt: null, durationSeconds: null })
    expect(eventsOf(active)).toEqual([
      {
        event: "voice_session.started",
        tenantId: created.tenantId,
        botId: created.botId,
        data: {
          session_id: created.id,
          status: "active",
          bot_id: created.botId,
          call_id: null,
          stt_model: "ink-2",
          language: "hi",
          max_duration_seconds: 1800,
          started_at: Instant.toIso(after(10)),
          ended_at: null,
          duration_seconds: null,
          end_reason: null
        }
      }
    ])
  })

  it("again changes nothing, and is too late once the token has expired or the session has ended", () => {
    expect(connect(active, after(20))).toBe(active)
    expect(connect(created, after(59.999))).not.toBeNull()
    expect(connect(created, after(60))).toBeNull()
    expect(connect(endOf(active, "caller_hangup", after(11))!, after(12))).toBeNull()
  })
})

type Step = { readonly seconds: number } & (
  | { readonly does: "connect" }
  | { readonly does: "lapse" }
  | { readonly does: "end"; readonly reason: string }
)

const seconds = fc.nat({ max: 2000 })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ seconds, does: fc.constant("connect" as const) }),
  fc.record({ seconds, does: fc.constant("lapse" as const) }),
  fc.record({ seconds, does: fc.constant("end" as const), reason: fc.constantFrom(...table.map(([reason]) => reason)) })
)

describe("whatever happens to a voice session, in whatever order", () => {
  // Verifies: D-210.
  it("it moves by the table alone, ends at most once, and what stands of an end stays", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let session = created
        const emitted: Array<string> = []
        for (const one of steps) {
          const at = after(one.seconds)
          const next =
            one.does === "connect"
              ? connect(session, at)
              : one.does === "lapse"
                ? lapse(session)
                : endOf(session, one.reason, at)
          if (next === null || next === session) continue
          expect(moves[session.status]).toContain(next.status)
          expect(next.endReason === null ? next.status : endStatusOf(next.endReason)).toBe(next.status)
          expect(next.dueAt === null).toBe(isEnded(next))
          emitted.push(...eventsOf(next).map(({ event }) => event))
          session = next
        }
        expect(emitted.filter((event) => event !== "voice_session.started").length).toBe(isEnded(session) ? 1 : 0)
        expect(emitted.filter((event) => event === "voice_session.started").length).toBe(
          session.startedAt === null ? 0 : 1
        )
      })
    )
  })

  // Verifies: D-210.
  it("the table of moves has every pair: what has ended goes nowhere, and nothing goes back", () => {
    const statuses = Object.keys(moves) as Array<VoiceStatus>
    const allowed = statuses.flatMap((from) => moves[from].map((to) => `${from} ${to}`))
    expect(allowed).toEqual([
      "created active",
      "created completed",
      "created failed",
      "created timeout",
      "active completed",
      "active failed",
      "active timeout"
    ])
  })
})
