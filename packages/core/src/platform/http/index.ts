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
 * Read      RoomContract.ts, then the folder engine. Source: docs/reference/http-conventions.md, docs/reference/errors.md.
 */

export { openApiTransform } from "./describe/OpenApiTransform.ts"
export { clientOf } from "./engine/AddressLimit.ts"
export { CompiledRoutes } from "./engine/CompiledRoutes.ts"
export { type EdgeSettings, edge, edgeAnswers, sentences as edgeSentences } from "./engine/Edge.ts"
export { edgeCodes, errorHeader } from "./engine/ErrorCodes.ts"
export { clientAddresses, type HandOver, lostBodies, mountedPaths, rememberPrincipal } from "./engine/HandOver.ts"
export { type Listen, ListensToBody } from "./engine/IncomingBody.ts"
export { requestIdAnnotation } from "./engine/RequestId.ts"
export { group as handlerGroup } from "./engine/RouteHandlers.ts"
export { contractPaths, IsCallback, originForm, pathOf, type RouteTable, routeTable } from "./engine/RouteTable.ts"
export { SlowBody } from "./engine/SlowBody.ts"
export { type KeyedWrites, keyedWrites } from "./KeyedWrites.ts"
export { answering, unavailableDetail } from "./PlatformErrors.ts"
export { contract } from "./RoomContract.ts"
