/**
 * What every room shares: instants, hours and days of a time zone, the form of ids, wire names, pages, digests, a cache.
 *
 * Promises  KERN-1 ids ascend within one process, whatever its clock does.
 *           KERN-2 an instant is whole milliseconds of UTC; text without an offset is UTC; a bare date is refused.
 *           KERN-3 a cache is bounded: beyond its size, the key that was read longest ago is removed.
 *           KERN-4 a lease is renewed for as long as its work runs, and no longer.
 *           KERN-5 an operation has a span where the host provides a tracer, and none where it does not.
 *           KERN-6 a form is read or refused, whatever bytes it has.
 *           KERN-7 counting within a minute costs the same however many keys there are, in bounded memory.
 *           KERN-8 in one turn of the event loop one pass begins over a large value, in the whole process.
 * Needs     Clock, IdSource.                     Emits  nothing.
 * Not here  anything that knows a subject of the product: an idea that only one room uses lives there.
 * Read      Instant.ts, then Ids.ts. Source: docs/reference/http-conventions.md.
 */
export { hmacSha256, hmacSha256Hex, type StreamDigest, sha256Hex, sha256Stream, timingSafeEqual } from "./Digest.ts"
export * as Entity from "./Entity.ts"
export { needsExactJson, parseExactJson } from "./ExactJson.ts"
export {
  exactForeignJson,
  foreignJson,
  type JsonExcess,
  jsonExcess,
  jsonExcesses,
  maxJsonDepth,
  maxJsonElements
} from "./ForeignJson.ts"
export { type FormFault, type FormLimits, FormParser, formSentence } from "./FormParser.ts"
export { guarded } from "./Guarded.ts"
export { closesAt, type HourWindow, isWithinHours, nextOpening, windowOf } from "./HourWindow.ts"
export { escapedHtml } from "./HtmlText.ts"
export * as Ids from "./Ids.ts"
export * as Instant from "./Instant.ts"
export { InterimHeads, pastInterim } from "./InterimHeads.ts"
export { joinedBytes, unfilledBytes } from "./JoinedBytes.ts"
export { jsonFault } from "./JsonBound.ts"
export { jsonPieces } from "./JsonPieces.ts"
export { afterPoints, codePoints, isLonger, utf8Length } from "./Length.ts"
export { maxListBytes, withinListBytes } from "./ListBytes.ts"
export { type LocalDay, localDay } from "./LocalDay.ts"
export { type IntervalUnit, intervalsOf, intervalUnits, type LocalInterval } from "./LocalIntervals.ts"
export { LruCache } from "./LruCache.ts"
export { MinuteLimit } from "./MinuteLimit.ts"
export { nearestName } from "./NearestName.ts"
export { isObject } from "./Objects.ts"
export { largeBytes, ownTurn } from "./OwnTurn.ts"
export type { Page, Paged } from "./Page.ts"
export { leaseMs, renewing } from "./Renewal.ts"
export { knownKeys, leavesOf, type SchemaLeaf } from "./SchemaLeaves.ts"
export { makeSignal, type Signal } from "./Signal.ts"
export { traced, tracedFn } from "./Traced.ts"
export { type ListMember, UnorderedList } from "./UnorderedList.ts"
export * as Wire from "./Wire.ts"
export { isWritableJson, sortedJson } from "./WritableJson.ts"
export { isZone, type LocalUnit, localDays, nextUnit, offsetAt, offsetChange } from "./ZoneClock.ts"
