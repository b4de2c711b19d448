/** Port: the files of recordings, found by the id of their session alone. Source: docs/reference/voice.md#recording. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type * as Ids from "../VoiceIds.ts"

/** A recording cannot be written or read. `detail` is for the operator's log. */
export class RecordingFailed extends Schema.TaggedError<RecordingFailed>()("RecordingFailed", {
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}

/** A recording that is being made. */
export interface RecordingWriter {
  /** Adds 16-bit samples, caller and agent in turn; an even number of them. They may be reused afterwards. */
  readonly append: (samples: Int16Array) => void
  /** Everything that was added is in the file. Fails where any of it could not be written. */
  readonly finish: Effect.Effect<void, RecordingFailed>
}

/** A recording as a WAV file of two channels with 16 bits. */
export interface RecordingFile {
  readonly bytes: number
  readonly content: Stream.Stream<Uint8Array>
}

export class RecordingFiles extends Context.Service<
  RecordingFiles,
  {
    /** Milliseconds after which a recording is removed. */
    readonly keepMs: number
    /**
     * Begins a recording, or goes on with one of the same session. `onFailure` is called once where it cannot be written further.
     */
    readonly open: (
      id: Ids.VoiceSessionId,
      sampleRate: number,
      onFailure: (failed: RecordingFailed) => void
    ) => Effect.Effect<RecordingWriter, RecordingFailed>
    /** Null where there is no file. A recording whose process died is as long as what was written. */
    readonly read: (id: Ids.VoiceSessionId) => Effect.Effect<RecordingFile | null, RecordingFailed>
    /** Removing a file that is not there changes nothing. */
    readonly remove: (id: Ids.VoiceSessionId) => Effect.Effect<void, RecordingFailed>
  }
>()("@trunkline/core/voice/sessions/RecordingFiles") {
  /** A host that has named no place for recordings makes none. */
  static readonly none = Layer.succeed(RecordingFiles, {
    keepMs: 0,
    open: () =>
      Effect.fail(
        new RecordingFailed({
          detail: "There is no place for recordings: pass `recordings: recordings({ folder })` of @trunkline/node."
        })
      ),
    read: () => Effect.succeed(null),
    remove: () => Effect.void
  })
}
