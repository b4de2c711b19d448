/** Port: voice sessions as those rooms see them that read what was said. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Read, StorageError } from "../../platform/storage/index.ts"
import type * as Ids from "../VoiceIds.ts"
import { TranscriptStore } from "./TranscriptStore.ts"
import { isEnded } from "./VoiceSession.ts"
import { VoiceStore } from "./VoiceStore.ts"

export interface SpokenSession {
  /** Null where a client has described the agent itself. */
  readonly botId: Ids.BotId | null
  /** Null where it was no telephone call. */
  readonly callId: Ids.CallId | null
  readonly hasEnded: boolean
  /** Turns of the caller. */
  readonly turnCount: number
}

/** Something that was said, or a function that was called. */
export interface SpokenLine {
  readonly role: "user" | "assistant" | "tool"
  readonly text: string
}

export class SpokenSessions extends Context.Service<
  SpokenSessions,
  {
    readonly find: (
      tenantId: Ids.AccountId,
      id: Ids.VoiceSessionId
    ) => Effect.Effect<SpokenSession | null, StorageError, Read>
    /** In the order in which it was said. */
    readonly lines: (id: Ids.VoiceSessionId) => Effect.Effect<ReadonlyArray<SpokenLine>, StorageError, Read>
  }
>()("@trunkline/core/voice/sessions/SpokenSessions") {
  static readonly layer = Layer.effect(
    SpokenSessions,
    Effect.gen(function* () {
      const store = yield* VoiceStore
      const transcripts = yield* TranscriptStore
      return SpokenSessions.of({
        find: (tenantId, id) =>
          Effect.map(store.find(tenantId, id), (session) => {
            if (session === null) return null
            const { botId, callId, turnCount } = session
            return { botId, callId, turnCount, hasEnded: isEnded(session) }
          }),
        lines: (id) => Effect.map(transcripts.list(id), (entries) => entries.map(({ role, text }) => ({ role, text })))
      })
    })
  )
}
