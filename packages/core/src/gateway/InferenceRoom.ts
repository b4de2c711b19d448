/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { KnownModels } from "../platform/accounts/index.ts"
import { Metering } from "../platform/billing/index.ts"
import type { Brand } from "../platform/brand/index.ts"
import { Instant } from "../platform/kernel/index.ts"
import { type ReadMetrics, type RoomMetrics, room, sample, type Worker } from "../platform/room/index.ts"
import type { StorageError } from "../platform/storage/index.ts"
import { DirectRequests } from "./admission/DirectRequests.ts"
import * as InferenceAuth from "./admission/InferenceAuth.ts"
import { ModelCatalogue } from "./catalogue/ModelCatalogue.ts"
import { inferenceEdge } from "./errors/InferenceEdge.ts"
import * as InferenceFaults from "./errors/InferenceFaults.ts"
import { InferenceRoutes } from "./routes/InferenceRoutes.ts"
import { inferenceModelsGroup, modelsGroup } from "./routes/ModelsApi.ts"
import * as ModelsHttp from "./routes/ModelsHttp.ts"
import { ChatModel } from "./run/ChatModel.ts"
import { MeteredRun } from "./run/MeteredRun.ts"
import { StreamedRuns } from "./run/StreamedRun.ts"
import { audioGroup } from "./speech/SpeechApi.ts"
import * as SpeechHttp from "./speech/SpeechHttp.ts"
import { Upstreams } from "./upstreams/Upstream.ts"
import { warmEngines } from "./upstreams/WarmEngines.ts"
import { UsageHttp, usageGroup } from "./usage/index.ts"

const middleware = ({ headerPrefix }: Brand) =>
  Layer.merge(InferenceFaults.layer, InferenceAuth.layer({ headerPrefix }))

const workers = Effect.gen(function* () {
  const { cancel, idle } = yield* StreamedRuns
  const upstreams = yield* Upstreams
  return [
    { name: "engines on this machine", begin: Effect.provideService(warmEngines, Upstreams, upstreams) },
    { name: "streamed answers", drain: { stage: "first", idle, timeoutMs: 10 * Instant.second, cancel } }
  ] satisfies ReadonlyArray<Worker<StorageError>>
})

const metrics = {
  declared: {
    trunkline_inference_running: {
      type: "gauge",
      labels: ["service"],
      of: "installation",
      help: "Requests to models that are under way, those of agents included"
    },
    trunkline_inference_requests_total: {
      type: "counter",
      labels: ["service", "status"],
      of: "process",
      help: "Requests that reached a model's upstream, by the HTTP status of their answer, those of agents included"
    }
  },
  reader: Effect.map(
    Metering,
    ({ counts }): ReadMetrics =>
      ({ underWay }) => ({
        ...(underWay === null
          ? {}
          : { trunkline_inference_running: underWay.inference.map(({ n, service }) => sample(n, { service })) }),
        trunkline_inference_requests_total: counts().map(({ httpStatus, n, service }) =>
          sample(n, { service, status: String(httpStatus) })
        )
      })
  )
} satisfies RoomMetrics

/** What keys may be limited to. */
const knownModels = Layer.effect(
  KnownModels,
  Effect.map(ModelCatalogue, ({ get, listed }) => ({
    has: (id) => get(id) !== null,
    ids: listed.map(({ id }) => id)
  }))
)

export const Room = room({
  name: "gateway",
  ports: knownModels,
  layer: Layer.provideMerge(
    Layer.mergeAll(ChatModel.layer, InferenceRoutes.layer, StreamedRuns.layer, DirectRequests.layer),
    MeteredRun.layer
  ),
  api: () => [modelsGroup, inferenceModelsGroup, audioGroup, usageGroup],
  handlers: (brand) => Layer.mergeAll(ModelsHttp.layer(), SpeechHttp.layer(brand), UsageHttp.layer()),
  middleware,
  workers,
  edge: inferenceEdge,
  metrics
})
