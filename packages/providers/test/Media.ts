/** The core's side of calls with sound, for tests of carriers. */
import {
  type Call,
  CallMedia,
  type Comeback,
  Ids,
  Instant,
  type MediaDoor,
  type MediaLine
} from "@trunkline/core/provider"
import { noAgent } from "@trunkline/core/testing"
import { HeardLine } from "@trunkline/testing/media-suite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export const callId: Ids.CallId = Ids.as("01890000-0000-7000-8000-000000000001")
export const tenantId: Ids.AccountId = Ids.as("01890000-0000-7000-8000-0000000000aa")

export class FakeMedia {
  readonly lines: Array<{ readonly line: MediaLine; readonly heard: HeardLine }> = []
  readonly tokens = new Set<string>()
  readonly asked: Array<Comeback> = []
  answers = true
  resumes = true
  /** Call ids that are not known. */
  readonly unknown = new Set<string>()
  facts: Partial<Call> = {}
  #made = 0

  readonly #call = (id: Ids.CallId): Call | null =>
    this.unknown.has(id)
      ? null
      : // What carriers read of a call.
        ({
          id,
          tenantId,
          provider: "simulator",
          providerCallId: null,
          to: "+919876543210",
          from: "+14155550100",
          startedAt: Instant.make(0),
          answeredAt: Instant.make(0),
          endedAt: null,
          ...this.facts
        } as unknown as Call)

  readonly service: CallMedia = {
    ...noAgent,
    find: (id) => Effect.sync(() => this.#call(id)),
    newToken: () =>
      Effect.sync(() => {
        const token = `cmt_${++this.#made}`
        this.tokens.add(token)
        return token
      }),
    useToken: (id, token) => Effect.sync(() => (this.tokens.delete(token) ? this.#call(id) : null)),
    connected: (_, line) =>
      Effect.sync(() => {
        if (!this.answers) return null
        const heard = new HeardLine()
        this.lines.push({ line, heard })
        return heard
      }),
    mayResume: (_, why) =>
      Effect.sync(() => {
        this.asked.push(why)
        return this.resumes
      }),
    serve: () => Effect.void
  }

  readonly layer = Layer.succeed(CallMedia, this.service)
}

/** Lets one account in by its key. */
export const door: MediaDoor = {
  identify: (request) =>
    Effect.succeed(
      request.headers.authorization === "Bearer key"
        ? { _tag: "Known", tenantId, protocol: null }
        : door.refuse(401, "no key", request)
    ),
  refuse: (status, detail) => ({ _tag: "Refused", status, headers: {}, body: JSON.stringify({ detail }) })
}
