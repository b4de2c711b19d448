/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { nothing, storeTopics } from "../../platform/changes/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { room, type Worker } from "../../platform/room/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import { KeptResponses } from "./kept/KeptResponses.ts"
import { keptResponsesGroup } from "./kept/KeptResponsesApi.ts"
import * as KeptResponsesHttp from "./kept/KeptResponsesHttp.ts"
import { ResponseStore } from "./kept/ResponseStore.ts"
import { Llm } from "./Llm.ts"
import { llmGroup, messagesGroup } from "./LlmApi.ts"
import * as LlmHttp from "./LlmHttp.ts"

const workers = Effect.gen(function* () {
  const responses = yield* KeptResponses
  // What has expired is found no more, so a minute more on the disk makes no difference.
  return [
    { name: "removal of kept responses", everyMs: Instant.minute, tick: responses.sweep }
  ] satisfies ReadonlyArray<Worker<StorageError>>
})

/** No topic names what is kept of answers. */
const changes = [storeTopics(ResponseStore, { add: nothing, remove: nothing, sweep: nothing })]

export const Room = room({
  name: "gateway/llm",
  stores: [ResponseStore],
  changes,
  layer: Layer.provideMerge(Llm.layer, KeptResponses.layer),
  api: () => [llmGroup, messagesGroup, keptResponsesGroup],
  handlers: (brand) => Layer.merge(LlmHttp.layer(brand), KeptResponsesHttp.layer()),
  workers
})
