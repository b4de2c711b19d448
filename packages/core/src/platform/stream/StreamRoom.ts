/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import { Instant } from "../kernel/index.ts"
import { type ReadMetrics, type RoomMetrics, room, sample, type Worker } from "../room/index.ts"
import type { StorageError } from "../storage/index.ts"
import { streamErrors } from "./ChangeStreamErrors.ts"
import { ChangeStreams } from "./ChangeStreams.ts"
import { streamGroup } from "./StreamApi.ts"
import * as StreamHttp from "./StreamHttp.ts"

const workers = Effect.map(
  ChangeStreams,
  ({ drain, resume }) =>
    [
      { name: "streams of changes", begin: resume, drain: { stage: "first", idle: drain, timeoutMs: Instant.minute } }
    ] satisfies ReadonlyArray<Worker<StorageError>>
)

const metrics = {
  declared: {
    trunkline_change_streams: {
      type: "gauge",
      labels: [],
      of: "process",
      help: "Open streams of changes"
    }
  },
  reader: Effect.map(
    ChangeStreams,
    ({ count }): ReadMetrics =>
      () => ({ trunkline_change_streams: [sample(count())] })
  )
} satisfies RoomMetrics

export const Room = room({
  name: "platform/stream",
  layer: ChangeStreams.layer,
  api: () => [streamGroup],
  handlers: StreamHttp.layer,
  workers,
  errors: streamErrors,
  metrics
})
