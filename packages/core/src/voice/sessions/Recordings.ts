/** Recordings of voice sessions: made by the process that runs the session, read and removed by the account. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type InferenceRefused, refuse, refuseState } from "../../gateway/errors/index.ts"
import { Instant, tracedFn } from "../../platform/kernel/index.ts"
import { Storage, type StorageError } from "../../platform/storage/index.ts"
import type * as Ids from "../VoiceIds.ts"
import { LiveSessionStore, type SessionLease } from "./LiveSessionStore.ts"
import { RecordingFailed, type RecordingFile, RecordingFiles, type RecordingWriter } from "./RecordingFiles.ts"
import { isEnded, type VoiceSession } from "./VoiceSession.ts"
import { VoiceStore } from "./VoiceStore.ts"

const noSession = refuse("session_not_found")
const noRecording = refuse("not_found", { message: "There is no recording of this voice session." })
const stillRuns = refuseState("The voice session has not ended. Its recording is there once it has.")
const unreadable = refuse("internal_error")
const lost = new RecordingFailed({ detail: "another process has the session" })

/** Recordings that are removed in one transaction. */
const batchSize = 100

export class Recordings extends Context.Service<
  Recordings,
  {
    /** Begins to record; the session has a recording from now on, whatever becomes of this process. */
    readonly start: (
      lease: SessionLease,
      sampleRate: number,
      onFailure: (failed: RecordingFailed) => void
    ) => Effect.Effect<RecordingWriter, RecordingFailed | StorageError>
    /** Removes what was recorded of a session that runs. Finish its writer before. */
    readonly discard: (lease: SessionLease) => Effect.Effect<void, RecordingFailed | StorageError>
    /** The recording of a session that has ended: 404 without one, 409 before. */
    readonly read: (
      tenantId: Ids.AccountId,
      id: Ids.VoiceSessionId
    ) => Effect.Effect<RecordingFile, InferenceRefused | StorageError>
    /** Removes it, under the same conditions. */
    readonly remove: (
      tenantId: Ids.AccountId,
      id: Ids.VoiceSessionId
    ) => Effect.Effect<void, InferenceRefused | StorageError>
    /** Removes recordings that were kept for long enough; returns how many. */
    readonly sweep: Effect.Effect<number, StorageError>
  }
>()("@trunkline/core/voice/sessions/Recordings") {
  static readonly layer = Layer.effect(
    Recordings,
    Effect.gen(function* () {
      const files = yield* RecordingFiles
      const live = yield* LiveSessionStore
      const storage = yield* Storage
      const store = yield* VoiceStore

      /** Writes whether a session of ours has a recording; false where another process has it. */
      const mark = (lease: SessionLease, recording: VoiceSession["recording"]) =>
        storage.transact(
          Effect.flatMap(live.lock(lease.id), (session) =>
            session === null || session.claim !== lease.claim
              ? Effect.succeed(false)
              : Effect.as(store.save({ ...session, recording }), true)
          )
        )

      const start = tracedFn("Recordings.start")(function* (
        lease: SessionLease,
        sampleRate: number,
        onFailure: (failed: RecordingFailed) => void
      ) {
        const writer = yield* files.open(lease.id, sampleRate, onFailure)
        if (yield* mark(lease, "available")) return writer
        return yield* Effect.andThen(writer.finish, lost)
      })

      const discard = tracedFn("Recordings.discard")(function* (lease: SessionLease) {
        yield* files.remove(lease.id)
        yield* mark(lease, "deleted")
      })

      const recorded = Effect.fnUntraced(function* (tenantId: Ids.AccountId, id: Ids.VoiceSessionId) {
        const session = (yield* storage.read(store.find(tenantId, id))) ?? (yield* noSession)
        if (session.recording !== "available") return yield* noRecording
        return isEnded(session) ? session : yield* stillRuns
      })

      const logged = (failed: RecordingFailed) => Effect.andThen(Effect.logError(failed.message), unreadable)

      const read = tracedFn("Recordings.read")(function* (tenantId: Ids.AccountId, id: Ids.VoiceSessionId) {
        const session = yield* recorded(tenantId, id)
        const file = yield* Effect.catchTag(files.read(session.id), "RecordingFailed", logged)
        return file ?? (yield* noRecording)
      })

      /** The file goes first: what is marked as deleted is no more. */
      const removeOf = (sessions: ReadonlyArray<VoiceSession>) =>
        Effect.forEach(sessions, ({ id }) => files.remove(id), { discard: true })

      const remove = tracedFn("Recordings.remove")(function* (tenantId: Ids.AccountId, id: Ids.VoiceSessionId) {
        const session = yield* recorded(tenantId, id)
        yield* Effect.catchTag(removeOf([session]), "RecordingFailed", logged)
        yield* storage.transact(
          Effect.flatMap(store.lock(tenantId, id), (found) =>
            found === null ? Effect.void : store.save({ ...found, recording: "deleted" })
          )
        )
      })

      const sweepBatch = Effect.gen(function* () {
        const endedBy = Instant.plus(yield* Instant.now, -files.keepMs)
        const old = yield* storage.transact(
          Effect.tap(store.lockRecorded(endedBy, batchSize), (found) =>
            Effect.forEach(found, (session) => store.save({ ...session, recording: "deleted" }), { discard: true })
          )
        )
        // A file that cannot be removed is the operator's: the account's recording is gone.
        yield* Effect.forEach(old, ({ id }) =>
          Effect.catch(files.remove(id), ({ message }) => Effect.logError(message))
        )
        return old.length
      })

      const sweep = Effect.gen(function* () {
        if (files.keepMs === 0) return 0
        for (let removed = 0; ; ) {
          const some = yield* sweepBatch
          removed += some
          if (some < batchSize) return removed
        }
      })

      return Recordings.of({ start, discard, read, remove, sweep })
    })
  )
}
