/**
 * Decides how the product speaks HTTP: one contract, the envelopes, and the edges around it.
 *
 * Promises  HTTP-1 every route is in one contract; handlers, OpenAPI and the compiled routes come from it.
 *           HTTP-2 a response to a bad request names its failing fields, the first 100, and nothing is half-written.
 *           HTTP-3 a foreign path goes on to the host; a known path with another method is 405 with Allow.
 *           HTTP-4 every response is in the envelope of the path's family and has a request id.
 *           HTTP-5 a form is read or refused, whatever bytes it has: none of them ends the process.
 *           HTTP-6 of what strangers send, a bounded number of bytes is read, and none of what nothing can have signed.
 * Needs     the rooms' *Api and *Http files.     Emits  nothing.
 * Not here  bytes, sockets and frameworks (packages/node, adapters).
 * Read      RoomContract.ts and PlatformErrors.ts, then engine/index.ts; the folder describe makes the OpenAPI document.
 *           Source: docs/reference/http-conventions.md, docs/reference/errors.md.
 */

export { openApiTransform } from "./describe/OpenApiTransform.ts"
export {
  type AddressLimit,
  addressLimit,
  atRequestEnd,
  bodyFaultOf,
  bodyReader,
  CompiledRoutes,
  CurrentRequestId,
  clientAddress,
  clientAddresses,
  clientOf,
  contractPaths,
  type EdgeAnswers,
  type EdgeSettings,
  edge,
  edgeAnswers,
  edgeCodes,
  edgeSentences,
  errorHeader,
  type HandOver,
  IsCallback,
  IsCollection,
  type KeyedWrites,
  type Listen,
  ListensToBody,
  listLengths,
  lostBodies,
  MaxBodyBytes,
  mountedPaths,
  originForm,
  pathOf,
  type Relay,
  type RelayConnection,
  type RelayedExchange,
  type Relaying,
  type RelayStream,
  RouteHandlers,
  type RouteTable,
  rawRequest,
  relaying,
  rememberPrincipal,
  requestIdAnnotation,
  requestIdOf,
  routeTable,
  SlowBody,
  unproven,
  withErrorCode,
  withRoomForRequests
} from "./engine/index.ts"
export { keyedWrites } from "./KeyedWrites.ts"
export { answering, unavailableDetail } from "./PlatformErrors.ts"
export { contract } from "./RoomContract.ts"
