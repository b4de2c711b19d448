/** Port: what a call's newest conversation with an agent has left: a recording, and what a model has found out about it. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type { StorageError } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import { RecordingNotFound, type RecordingRuns } from "./CallErrors.ts"

export const CallRecording = Schema.Literals(["none", "available", "deleted"])

export interface CallConversation {
  readonly recording: typeof CallRecording.Type
  /** As the answers of its session have it; null without one. */
  readonly analysis: Readonly<Record<string, unknown>> | null
}

export interface RecordedSound {
  readonly bytes: number
  readonly content: Stream.Stream<Uint8Array, unknown>
}

export interface CallConversations {
  readonly newest: (tenantId: Ids.AccountId, callId: Ids.CallId) => Effect.Effect<CallConversation, StorageError>
  /** A WAV file. */
  readonly recording: (
    tenantId: Ids.AccountId,
    callId: Ids.CallId
  ) => Effect.Effect<RecordedSound, RecordingNotFound | RecordingRuns | StorageError>
}

/** Without voice sessions no agent speaks on a call. */
export const CallConversations = Context.Reference<CallConversations>(
  "@trunkline/core/calling/calls/CallConversations",
  {
    defaultValue: () => ({
      newest: () => Effect.succeed({ recording: "none" as const, analysis: null }),
      recording: () => Effect.fail(new RecordingNotFound())
    })
  }
)
