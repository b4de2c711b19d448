/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Brand, Instant, leaseMs } from "../kernel/index.ts"
import { room, type Worker } from "../room/index.ts"
import type { StorageError } from "../storage/index.ts"
import { ChatModel } from "./ChatModel.ts"
import { DirectRequests } from "./DirectRequests.ts"
import * as InferenceAuth from "./InferenceAuth.ts"
import { inferenceEdge } from "./InferenceEdge.ts"
import * as InferenceFaults from "./InferenceFaults.ts"
import { InferenceRoutes } from "./InferenceRoutes.ts"
import { MeteredRun } from "./MeteredRun.ts"
import { inferenceModelsGroup, modelsGroup } from "./ModelsApi.ts"
import * as ModelsHttp from "./ModelsHttp.ts"
import { Speech } from "./Speech.ts"
import { audioGroup } from "./SpeechApi.ts"
import * as SpeechHttp from "./SpeechHttp.ts"
import { StreamedRuns } from "./StreamedRun.ts"
import { Upstreams } from "./Upstream.ts"
import { usageGroup } from "./UsageApi.ts"
import * as UsageHttp from "./UsageHttp.ts"
import { warmEngines } from "./WarmEngines.ts"

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
  name: "inference",
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
