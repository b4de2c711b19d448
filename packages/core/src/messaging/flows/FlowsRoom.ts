/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Brand } from "../../platform/brand/index.ts"
import { nothing, storeTopics } from "../../platform/changes/index.ts"
import { type ReadMetrics, type RoomMetrics, room } from "../../platform/room/index.ts"
import { FlowAnswers } from "./FlowAnswers.ts"
import { flowDataGroup } from "./FlowDataApi.ts"
import * as FlowDataHttp from "./FlowDataHttp.ts"
import { flowErrors } from "./FlowErrors.ts"
import { FlowEndpointStore, FlowKeyStore } from "./FlowStore.ts"
import { Flows } from "./Flows.ts"
import { flowKeysGroup, flowsGroup } from "./FlowsApi.ts"
import * as FlowsHttp from "./FlowsHttp.ts"

/** No page shows endpoints and keys. */
const changes = [
  storeTopics(FlowEndpointStore, {
    add: nothing,
    save: nothing,
    remove: nothing,
    removeOfFlow: nothing,
    replaceSecret: nothing
  }),
  storeTopics(FlowKeyStore, { save: nothing, replaceKey: nothing })
]

const metrics = {
  declared: {
    trunkline_flow_data_seconds: {
      type: "histogram",
      labels: ["outcome"],
      of: "process",
      help: "Time from a question of the chat platform about a flow to its answer"
    }
  },
  reader: Effect.map(
    FlowAnswers,
    ({ durations }): ReadMetrics =>
      () => ({ trunkline_flow_data_seconds: durations() })
  )
} satisfies RoomMetrics

export const Room = room({
  name: "messaging/flows",
  stores: [FlowEndpointStore, FlowKeyStore],
  changes,
  layer: Layer.merge(Flows.layer, FlowAnswers.layer),
  api: (brand: Brand) => [flowsGroup(brand), flowKeysGroup(brand)] as const,
  unpublishedApi: (brand: Brand) => [flowDataGroup(brand)] as const,
  handlers: (brand: Brand) => Layer.merge(FlowsHttp.layer(brand), FlowDataHttp.layer(brand)),
  errors: flowErrors,
  metrics,
  reencrypt: Effect.map(Flows, ({ reencrypt }) => [reencrypt])
})
