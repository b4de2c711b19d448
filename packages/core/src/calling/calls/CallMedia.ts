/** Service: what a carrier asks about the sound of a call. Source: docs/reference/telephony.md#media. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Bot } from "../../agents/bots/index.ts"
import type { MediaLine, MediaListener } from "../../platform/audio/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import type { Call } from "./Call.ts"

/** Why a call asks for its agent again: its media broke off, or nobody answered where it was transferred to. */
export type Comeback = "lost" | "unanswered"

/** Answers calls with an agent. A process has at most one. */
export interface CallAgent {
  /**
   * The media of a call is connected. What the line says goes to the listener; null refuses the line. A second line of the same
   * call comes after the first was lost. It may come before the call's own report of its answer.
   */
  readonly connected: (callId: Ids.CallId, line: MediaLine) => Effect.Effect<MediaListener | null>
  /** Whether a call that asks for its agent again is connected again. False: the carrier hangs up. */
  readonly mayResume: (callId: Ids.CallId, why: Comeback) => Effect.Effect<boolean>
  /** Whether the bot can hold a conversation now: its models have upstreams, and its account may use them. */
  readonly mayAnswer: (bot: Bot) => Effect.Effect<boolean>
  /** An answered call has waited too long for its media: it is to end, and its session is recorded as failed. */
  readonly unconnected: (callId: Ids.CallId) => Effect.Effect<void>
  /** A machine has answered, or the call has ended. After the commit, in the process that committed it. */
  readonly moved: (call: Call, what: "machine" | "ended") => Effect.Effect<void>
}

export interface CallMedia extends CallAgent {
  readonly find: (callId: Ids.CallId) => Effect.Effect<Call | null, StorageError>
  /** A new token for one connection of the call's media, which makes earlier ones invalid. Null where no such call is open. */
  readonly newToken: (callId: Ids.CallId) => Effect.Effect<string | null, StorageError>
  /** Uses a token up: the call, where it is open and the token is its own. Of any number of attempts one succeeds. */
  readonly useToken: (callId: Ids.CallId, token: string) => Effect.Effect<Call | null, StorageError>
  /** Makes the agent known that answers this process's calls, until the scope ends. */
  readonly serve: (agent: CallAgent) => Effect.Effect<void, never, Scope.Scope>
}

/** What answers calls while no agent does. */
export const noAgent: CallAgent = {
  connected: () => Effect.succeed(null),
  mayResume: () => Effect.succeed(false),
  mayAnswer: () => Effect.succeed(false),
  unconnected: () => Effect.void,
  moved: () => Effect.void
}

/** By default there are no calls with media. */
export const CallMedia = Context.Reference<CallMedia>("@trunkline/core/calling/calls/CallMedia", {
  defaultValue: () => ({
    ...noAgent,
    find: () => Effect.succeed(null),
    newToken: () => Effect.succeed(null),
    useToken: () => Effect.succeed(null),
    serve: () => Effect.void
  })
})
