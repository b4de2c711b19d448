/**
 * Is the frame of every route of the gateway: it leads from a JSON body to a run, and from its result to an answer. It has the routes
 * of models too.
 *
 * Needs     MeteredRun, ModelCatalogue, Idempotency.   Emits  nothing.
 * Not here  what a route asks of a model: llm, speech, embeddings, images, and the other rooms of this area.
 * Read      InferenceRoutes.ts, then JsonRoute.ts and JsonRequestHttp.ts. Source: docs/reference/gateway.md.
 */
export {
  type InferenceCaller,
  type InferenceRoute,
  InferenceRoutes,
  type Prepared,
  type RouteRequest,
  runHeaders
} from "./InferenceRoutes.ts"
export { maxItems, maxParts, promptItems } from "./ItemBounds.ts"
export { lineReaderOf } from "./JsonLine.ts"
export {
  bytesRefusal,
  type JsonInput,
  type JsonRequest,
  jsonFingerprint,
  unwritableRefusal,
  withoutNullFields
} from "./JsonRequest.ts"
export { answerJson, jsonHandler, readJsonRequest } from "./JsonRequestHttp.ts"
export { type JsonRoute, runJson } from "./JsonRoute.ts"
export { listAnswer } from "./ListAnswer.ts"
export { encodeHeaders, encodeResult } from "./RouteResultHttp.ts"
export { streamedAnswer } from "./StreamedAnswerHttp.ts"
