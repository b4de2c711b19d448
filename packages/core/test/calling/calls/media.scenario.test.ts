/** Calls that an agent answers: their tokens, their agent, and who may open a socket of the carrier. Verifies: TELE-9, TELE-10. */

import { Bots, Keys, Storage } from "@trunkline/core/effect"
import { CallMedia, type Ids } from "@trunkline/core/provider"
import { CallStore } from "@trunkline/core/storage"
import { HeardLine } from "@trunkline/testing/media-suite"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { type MediaDoor, noAgent, type SocketCaller } from "../../../src/calling/calls/index.ts"
import { carrierSockets } from "../../../src/calling/calls/MediaSocketHttp.ts"
import { operator } from "../../../src/platform/accounts/index.ts"
import type { SocketRefused } from "../../../src/platform/room/index.ts"
import { type Stage, scenario } from "./Scenarios.ts"

const to = "+14155550101"
const agentAnswers = { host: { answer: { kind: "agent" as const } }, carrier: { hasMedia: true } }

const media = <A, E>(stage: Stage, use: (media: CallMedia) => Effect.Effect<A, E>) =>
  stage.run(Effect.flatMap(CallMedia, use))

/** A call to an agent's callee, as its carrier has it. */
const placed = Effect.fnUntraced(function* (stage: Stage, prompt: string | null = "You sell tea.") {
  const agent = yield* stage.run(
    Bots.use((bots) =>
      bots.create(stage.tenant, { name: "Asha", type: "voice", systemPrompt: prompt, isActive: true, config: {} })
    )
  )
  const call = yield* stage.dial(to, { botId: agent.id })
  yield* stage.rest
  return { call, order: stage.line(to).order }
})

const stored = (stage: Stage, id: Ids.CallId) =>
  stage.run(
    Effect.gen(function* () {
      const [calls, storage] = [yield* CallStore, yield* Storage]
      return yield* storage.read(calls.findInAnyAccount(id))
    })
  )

describe("a call that an agent answers", () => {
  scenario(
    "is placed with a token, of which the digest alone is stored",
    function* (stage) {
      const { call, order } = yield* placed(stage)
      expect(order).toMatchObject({ answer: { _tag: "Agent" }, mediaToken: expect.stringMatching(/^cmt_\w{40}$/) })
      const { mediaToken } = (yield* stored(stage, call.id))!
      expect(mediaToken).toMatch(/^[0-9a-f]{64}$/)
      expect(mediaToken).not.toBe(order.mediaToken)
    },
    agentAnswers
  )

  scenario(
    "connects its media once with that token, also after a restart, and never for another call",
    function* (stage) {
      const { call, order } = yield* placed(stage)
      const other = yield* stage.dial("+14155550102")
      yield* stage.kill
      yield* stage.start
      const token = order.mediaToken ?? ""
      expect(yield* media(stage, ({ useToken }) => useToken(other.id, token))).toBeNull()
      expect(yield* media(stage, ({ useToken }) => useToken(call.id, `${token}x`))).toBeNull()
      expect(yield* media(stage, ({ useToken }) => useToken(call.id, token))).toMatchObject({ id: call.id })
      expect(yield* media(stage, ({ useToken }) => useToken(call.id, token))).toBeNull()
    },
    agentAnswers
  )

  scenario(
    "has one valid token at a time, and none once it is over",
    function* (stage) {
      const { call, order } = yield* placed(stage)
      const next = (yield* media(stage, ({ newToken }) => newToken(call.id)))!
      expect(yield* media(stage, ({ useToken }) => useToken(call.id, order.mediaToken ?? ""))).toBeNull()
      yield* stage.run(Effect.sync(() => stage.network.end(stage.line(to), "busy", null, call.startedAt)))
      yield* stage.rest
      yield* stage.wait(5000)
      expect(yield* stored(stage, call.id)).toMatchObject({ status: "busy" })
      expect(yield* media(stage, ({ useToken }) => useToken(call.id, next))).toBeNull()
      expect(yield* media(stage, ({ newToken }) => newToken(call.id))).toBeNull()
    },
    agentAnswers
  )

  // Verifies: V-143.
  scenario(
    "is spoken to without a prompt",
    function* (stage) {
      const { order } = yield* placed(stage, null)
      expect(order).toMatchObject({ answer: { _tag: "Say", text: "Asha" }, mediaToken: null })
    },
    agentAnswers
  )

  // Verifies: V-143.
  scenario(
    "is spoken to where its carrier brings no sound",
    function* (stage) {
      const { order } = yield* placed(stage)
      expect(order).toMatchObject({ answer: { _tag: "Say" }, mediaToken: null })
    },
    { host: { answer: { kind: "agent" } } }
  )

  // Verifies: V-142.
  scenario(
    "is spoken to by default, where no agent can be served",
    function* (stage) {
      const { order } = yield* placed(stage)
      expect(order).toMatchObject({ answer: { _tag: "Say" }, mediaToken: null })
    },
    { carrier: { hasMedia: true } }
  )

  // Verifies: V-142.
  scenario(
    "is answered by the agent that serves, and by none before and after",
    function* (stage) {
      const { call } = yield* placed(stage)
      const line = {} as Parameters<CallMedia["connected"]>[1]
      const connect = media(stage, ({ connected }) => connected(call.id, line))
      expect(yield* connect).toBeNull()
      const listener = new HeardLine()
      const agent = { ...noAgent, connected: () => Effect.succeed(listener), mayResume: () => Effect.succeed(true) }
      const served = media(stage, (desk) =>
        Effect.scoped(
          Effect.gen(function* () {
            yield* desk.serve(agent)
            return [yield* desk.connected(call.id, line), yield* desk.mayResume(call.id, "lost")]
          })
        )
      )
      expect(yield* served).toEqual([listener, true])
      expect(yield* connect).toBeNull()
      expect(yield* media(stage, ({ mayResume }) => mayResume(call.id, "lost"))).toBe(false)
    },
    agentAnswers
  )
})

describe("a socket of the carrier", () => {
  /** Who the door of the carrier lets in. */
  const doors: Array<MediaDoor> = []
  const withDoor = {
    line: () => ({
      sockets: (door: MediaDoor) => {
        doors.push(door)
        return []
      }
    })
  }
  const key = (stage: Stage, scopes: ReadonlyArray<"calls:read" | "calls:write">) =>
    Effect.map(
      stage.run(Keys.use((keys) => keys.create({ ...newKey, tenantId: stage.tenant, scopes }, operator))),
      ({ text }) => text
    )
  const newKey = {
    name: null,
    permissions: [],
    budget: null,
    budgetPeriod: "total" as const,
    allowedModels: null,
    allowedDomains: null,
    searchProviders: null,
    requestsPerMinute: null,
    concurrency: null,
    expiresAt: null
  }
  const knock = Effect.fnUntraced(function* (
    stage: Stage,
    headers: Readonly<Record<string, string>>,
    protocols: ReadonlyArray<string> = []
  ) {
    yield* stage.run(carrierSockets)
    const request = { path: "", params: {}, headers, protocols, clientAddress: null, requestId: "r" }
    const answer: SocketCaller | SocketRefused = yield* doors.at(-1)!.identify(request)
    return answer
  })

  scenario(
    "is for who may place calls, in a header or as a subprotocol",
    function* (stage) {
      const text = yield* key(stage, ["calls:write"])
      const known = { _tag: "Known", tenantId: stage.tenant }
      for (const authorization of [`Bearer ${text}`, `Token ${text}`])
        expect(yield* knock(stage, { authorization })).toEqual({ ...known, protocol: null })
      for (const word of ["token", "bearer"])
        expect(yield* knock(stage, {}, [word, text])).toEqual({ ...known, protocol: word })
    },
    withDoor
  )

  // Verifies: V-157.
  scenario(
    "is for nobody else",
    function* (stage) {
      const reader = yield* key(stage, ["calls:read"])
      expect(yield* knock(stage, { authorization: `Bearer ${reader}` })).toMatchObject({ status: 403 })
      const refused = [knock(stage, {}), knock(stage, { authorization: "Bearer nobody" }), knock(stage, {}, [reader])]
      for (const one of refused)
        expect(yield* one).toMatchObject({ status: 401, body: expect.stringContaining("detail") })
    },
    withDoor
  )
})
