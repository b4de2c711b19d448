/** What the fields of events are made of. Pure. */
import * as Schema from "effect/Schema"
import { Instant } from "../kernel/index.ts"

/** Says what a field means; the event reference and the OpenAPI document show it. */
export const means = <A>(type: Schema.Codec<A>, description: string): Schema.Codec<A> =>
  type.annotate({ description }) as Schema.Codec<A>

/** A field that may be missing: hosts publish these events, and a host may not know every field. */
export const known = <A>(type: Schema.Codec<A>, description: string) => Schema.optionalKey(means(type, description))

/** Named as in the OpenAPI document. */
export const payload = <const Fields extends Schema.Struct.Fields>(identifier: string, fields: Fields) =>
  Schema.Struct(fields).annotate({ identifier })

/** Nothing here is transformed, unlike in requests: these schemas describe what stands on the wire. */
export const uuid: Schema.Codec<string> = Schema.String.check(
  Schema.isGUID({ expected: "a UUID", toJsonSchema: () => ({ format: "uuid" }) })
)
export const instant: Schema.Codec<string> = Schema.String.check(
  Schema.makeFilter(
    (value: string) =>
      Instant.parse(value) !== undefined || "Expected an ISO 8601 instant such as 2026-11-21T09:30:00.000Z",
    { toJsonSchema: () => ({ format: "date-time" }) }
  )
)
export const text: Schema.Codec<string> = Schema.String
/** An identifier of the host's own, in any form. */
export const hostId: Schema.Codec<string> = Schema.String.check(Schema.isMinLength(1))
export const count: Schema.Codec<number> = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
export const number: Schema.Codec<number> = Schema.Finite
export const orNull = <A>(type: Schema.Codec<A>): Schema.Codec<A | null> => Schema.NullOr(type)

/** An id as examples have it. */
export const exampleId = (last: string) => `0192f3a4-7c10-7b2e-9d41-${last.padStart(12, "0")}`
