/** Identifiers: branded lower-case UUIDs; generated ones are version 7, so that they sort by creation. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import { v7 } from "uuid"
import * as Instant from "./Instant.ts"

/** An id of the records that have this name. Each area names those of its records in a file at its top, such as `CallingIds.ts`. */
export type Id<Name extends string> = string & { readonly "~Id": Name }

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** True of a lower-case UUID of any version, the nil UUID included. */
export const isUuid = (text: string): boolean => uuid.test(text)

/** Gives an id its name where it enters the code: a row, a decoded path, a fresh id. Checks nothing. */
export const as = <Name extends string>(text: string): Id<Name> => text as Id<Name>

const folded = Schema.String.check(
  Schema.isGUID({ expected: "a UUID", toJsonSchema: () => ({ format: "uuid" }) })
).pipe(
  Schema.decodeTo(Schema.String, {
    decode: SchemaGetter.transform((text: string) => text.toLowerCase()),
    encode: SchemaGetter.transform((text: string) => text)
  })
)

/** The wire form of an id: upper case is folded, everything else that is no UUID is refused. */
export const schema = <Name extends string>(): Schema.Codec<Id<Name>, string> =>
  folded as unknown as Schema.Codec<Id<Name>, string>

/** Before every generated id. */
export const first = <Name extends string>(): Id<Name> => as("00000000-0000-0000-0000-000000000000")

/** After every generated id. */
export const last = <Name extends string>(): Id<Name> => as("ffffffff-ffff-ffff-ffff-ffffffffffff")

/** Before every generated id of an instant and of later ones, after those of earlier ones. */
export const firstOf = (at: Instant.Instant): string => {
  const hex = Math.max(0, at).toString(16).padStart(12, "0")
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** Makes ids. What one source makes ascends, also within one millisecond. */
export interface IdSource {
  readonly next: (at: Instant.Instant) => string
}

/** Bytes of one id, and for how many ids they are drawn at once: a call to the system for each costs more than the rest of it. */
const idBytes = 16
const drawnFor = 256

/** Random bytes for one id after the other; none are used twice. */
const randomBytes = (): (() => Uint8Array) => {
  const pool = new Uint8Array(idBytes * drawnFor)
  let used = pool.length
  return () => {
    if (used === pool.length) {
      crypto.getRandomValues(pool)
      used = 0
    }
    used += idBytes
    return pool.subarray(used - idBytes, used)
  }
}

/** Ids of one process ascend even when its clock stands still or steps back. */
export const ascending = (): IdSource => {
  let last = 0
  let sequence = 0
  const random = randomBytes()
  return {
    next: (at) => {
      if (at > last) {
        last = at
        sequence = 0
      } else {
        sequence += 1
      }
      return v7({ msecs: last, seq: sequence, random: random() })
    }
  }
}

export const IdSource = Context.Reference<IdSource>("@trunkline/core/platform/kernel/IdSource", {
  defaultValue: ascending
})

/** A function that makes ids of the present moment, for pure deciders that need several. */
export const source: Effect.Effect<() => string> = Effect.gen(function* () {
  const ids = yield* IdSource
  const at = yield* Instant.now
  return () => ids.next(at)
})

/** One fresh id. */
export const fresh = <Name extends string>(): Effect.Effect<Id<Name>> => Effect.map(source, (next) => as<Name>(next()))
