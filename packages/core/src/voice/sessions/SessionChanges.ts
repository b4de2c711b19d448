/** Writes sessions in new states together with what follows from them: sums, events, and what they release of the plan. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ConversationQuota, UsageLog } from "../../platform/billing/index.ts"
import { type Event, Outbox } from "../../platform/events/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../VoiceIds.ts"
import { VoiceEventSettings } from "./SessionSettings.ts"
import { SessionWatcher } from "./SessionWatcher.ts"
import { TranscriptStore } from "./TranscriptStore.ts"
import { eventsOf, saidTranscript } from "./VoiceEvents.ts"
import { isEnded, isUnused, type VoiceSession } from "./VoiceSession.ts"
import { VoiceStore } from "./VoiceStore.ts"

/** Called when a session has ended in this process. */
type EndListener = (session: VoiceSession) => void

/** Entries that are read for an event: more than fit into it. */
const maxEntries = 2000

export class SessionChanges extends Context.Service<
  SessionChanges,
  {
    /**
     * Saves locked sessions in their new states, and returns them as they are saved, with their events. Pass both to `announce` once
     * the transaction is committed.
     */
    readonly save: (sessions: ReadonlyArray<VoiceSession>) => Effect.Effect<Changed, StorageError, Tx | Read>
    /** The same for a session that is new. */
    readonly add: (session: VoiceSession) => Effect.Effect<Changed, StorageError, Tx | Read>
    /** What the stages of a session have cost. */
    readonly spent: (session: VoiceSession) => Effect.Effect<bigint, StorageError, Read>
    readonly announce: (changed: Changed) => Effect.Effect<void>
    /** Calls `listener` when this process has ended the session for any party; the returned function stops it. */
    readonly onEnd: (id: Ids.VoiceSessionId, listener: EndListener) => () => void
  }
>()("@trunkline/core/voice/sessions/SessionChanges") {
  static readonly layer = Layer.effect(
    SessionChanges,
    Effect.gen(function* () {
      const conversations = yield* ConversationQuota
      const { transcript } = yield* VoiceEventSettings
      const outbox = yield* Outbox
      const store = yield* VoiceStore
      const transcripts = yield* TranscriptStore
      const usage = yield* UsageLog
      const watcher = yield* SessionWatcher
      const listeners = new Map<Ids.VoiceSessionId, EndListener>()

      const spent = ({ id, tenantId }: VoiceSession) =>
        Effect.map(usage.ofSession(tenantId, id), (items) => items.reduce((sum, { credits }) => sum + credits, 0n))

      const summed = (session: VoiceSession) =>
        session.startedAt === null || !isEnded(session)
          ? Effect.succeed(session)
          : Effect.map(spent(session), (credits) => ({ ...session, credits }))

      const eventsFor = (session: VoiceSession) =>
        transcript && isEnded(session)
          ? Effect.map(transcripts.lastSaid(session.id, maxEntries), (said) => eventsOf(session, saidTranscript(said)))
          : Effect.succeed(eventsOf(session))

      const followed = Effect.fnUntraced(function* (sessions: ReadonlyArray<VoiceSession>) {
        const unused = sessions.filter(isUnused)
        yield* conversations.release(unused.map(({ createdAt: at, tenantId }) => ({ tenantId, at })))
        yield* watcher.ended(sessions.filter(isEnded))
        const events = yield* Effect.forEach(sessions, eventsFor)
        return { sessions, events: yield* outbox.append(events.flat()) }
      })

      const save = Effect.fnUntraced(function* (changed: ReadonlyArray<VoiceSession>) {
        const sessions = yield* Effect.forEach(changed, summed)
        yield* Effect.forEach(sessions, store.save, { discard: true })
        return yield* followed(sessions)
      })

      const add = (session: VoiceSession) => Effect.andThen(store.add(session), followed([session]))

      const announce = ({ events, sessions }: Changed) =>
        Effect.andThen(
          outbox.publish(events),
          Effect.sync(() => {
            for (const session of sessions) if (isEnded(session)) listeners.get(session.id)?.(session)
          })
        )

      const onEnd = (id: Ids.VoiceSessionId, listener: EndListener) => {
        listeners.set(id, listener)
        return () => {
          if (listeners.get(id) === listener) listeners.delete(id)
        }
      }

      return SessionChanges.of({ save, add, spent, announce, onEnd })
    })
  )
}

/** What a transaction has changed. */
export interface Changed {
  readonly sessions: ReadonlyArray<VoiceSession>
  readonly events: ReadonlyArray<Event>
}

/** Nothing was changed. */
export const unchanged: Changed = { sessions: [], events: [] }
