/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Brand, Instant, leaseMs } from "../platform/kernel/index.ts"
import { room, type Worker } from "../platform/room/index.ts"
import type { StorageError } from "../platform/storage/index.ts"
import { DirectRequests } from "./admission/DirectRequests.ts"
import * as InferenceAuth from "./admission/InferenceAuth.ts"
import { inferenceEdge } from "./errors/InferenceEdge.ts"
import * as InferenceFaults from "./errors/InferenceFaults.ts"
import { InferenceRoutes } from "./routes/InferenceRoutes.ts"
import { inferenceModelsGroup, modelsGroup } from "./routes/ModelsApi.ts"
import * as ModelsHttp from "./routes/ModelsHttp.ts"
import { ChatModel } from "./run/ChatModel.ts"
import { MeteredRun } from "./run/MeteredRun.ts"
import { StreamedRuns } from "./run/StreamedRun.ts"
import { Speech } from "./speech/Speech.ts"
import { audioGroup } from "./speech/SpeechApi.ts"
import * as SpeechHttp from "./speech/SpeechHttp.ts"
import { Upstreams } from "./upstreams/Upstream.ts"
import { warmEngines } from "./upstreams/WarmEngines.ts"
import { usageGroup } from "./usage/UsageApi.ts"
import * as UsageHttp from "./usage/UsageHttp.ts"

/** A slow upload, during which nothing renews the slot. */
const slowUploadMs = 5 * Instant.minute

const middleware = ({ headerPrefix }: Brand) =>
  Layer.merge(InferenceFaults.layer, InferenceAuth.layer({ headerPrefix, slotLeaseMs: slowUploadMs + leaseMs }))

const workers = Effect.gen(function* () {
  const { cancel, idle } = yield* StreamedRuns
  const upstreams = yield* Upstreams
  return [
    { name: "engines on this machine", begin: Effect.provideService(warmEngines, Upstreams, upstreams) },
    { name: "streamed answers", drain: { stage: "first", idle, timeoutMs: 10 * Instant.second, cancel } }
  ] satisfies ReadonlyArray<Worker<StorageError>>
})

export const Room = room({
  name: "gateway",
  layer: Speech.layer.pipe(
    Layer.provideMerge(
      Layer.mergeAll(ChatModel.layer, InferenceRoutes.layer, StreamedRuns.layer, DirectRequests.layer)
    ),
    Layer.provideMerge(MeteredRun.layer)
  ),
  api: () => [modelsGroup, inferenceModelsGroup, audioGroup, usageGroup],
  handlers: (brand) => Layer.mergeAll(ModelsHttp.layer(), SpeechHttp.layer(brand), UsageHttp.layer()),
  middleware,
  workers,
  edge: inferenceEdge
})
