/**
 * Answers the requests of a contract: finds the route, decodes what it reads, runs its handler, writes its answer, and surrounds all of
 * it with the edge. It stands in the place of Effect's `HttpApiBuilder` and router, which copy all services of the product for each
 * request. It has a folder of its own, so that what rests on the inside of Effect is in one place.
 *
 * Promises  ENGN-1 what the compiler does not check of Effect is used in EffectInternals.ts, or stands in its table.
 *           ENGN-2 a contract and its handlers are answered as Effect's own builder answers them, but for differences that a test lists.
 * Needs     a contract with its handlers and middleware, and families with their envelopes.     Emits  nothing.
 * Not here  the envelopes and errors of the platform, its authentication and its idempotency (the files above this folder).
 * Read      CompiledRoutes.ts, then EndpointCodec.ts, then Edge.ts. Source: docs/reference/http-conventions.md, docs/contributing.md#effect.
 */

export { type AddressLimit, addressLimit, clientOf } from "./AddressLimit.ts"
export { bodyFaultOf } from "./BodyFaults.ts"
export {
  type AnswerOnce,
  CompiledRoutes,
  type KeyedRequest,
  type KeyedRoute,
  type KeyedWrites
} from "./CompiledRoutes.ts"
export {
  clientAddress,
  type EdgeAnswers,
  type EdgeSettings,
  edge,
  edgeAnswers,
  sentences as edgeSentences
} from "./Edge.ts"
export { withRoomForRequests } from "./EffectInternals.ts"
export { edgeCodes, errorHeader, withErrorCode } from "./ErrorCodes.ts"
export { clientAddresses, type HandOver, lostBodies, mountedPaths, rememberPrincipal } from "./HandOver.ts"
export { bodyReader, type Listen, ListensToBody } from "./IncomingBody.ts"
export { filterId, listLengths } from "./ListLengths.ts"
export { rawRequest, unproven } from "./RawRequest.ts"
export type { Relay, RelayConnection, RelayedExchange, RelayStream } from "./RelayedExchange.ts"
export { type Relaying, relaying } from "./Relaying.ts"
export { atRequestEnd } from "./RequestEnd.ts"
export { CurrentRequestId, requestIdAnnotation, requestIdOf } from "./RequestId.ts"
export type { KeyedForm } from "./RouteHandlers.ts"
export * as RouteHandlers from "./RouteHandlers.ts"
export {
  contractPaths,
  IsCallback,
  IsCollection,
  MaxBodyBytes,
  originForm,
  pathOf,
  type RouteTable,
  routeTable
} from "./RouteTable.ts"
export { SlowBody } from "./SlowBody.ts"
