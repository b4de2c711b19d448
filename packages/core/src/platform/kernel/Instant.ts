/** Instants: whole milliseconds of UTC since 1970, read from the Clock service and never from the machine. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import * as SchemaIssue from "effect/SchemaIssue"

/** A moment in UTC, in whole milliseconds. */
export type Instant = number & { readonly "~Instant": true }

export const make = (milliseconds: number): Instant => Math.trunc(milliseconds) as Instant

/** The present moment of the Clock service. */
export const now: Effect.Effect<Instant> = Effect.map(Clock.currentTimeMillis, make)

/** Beyond every other instant: the last millisecond that every database and every timestamp can carry. */
export const never: Instant = make(8_640_000_000_000_000)

export const plus = (at: Instant, milliseconds: number): Instant => make(at + milliseconds)

export const later = (a: Instant, b: Instant): Instant => (a > b ? a : b)

export const earlier = (a: Instant, b: Instant): Instant => (a < b ? a : b)

export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

/** A timer of the platform for a longer time fires at once. */
export const maxTimerMs = 2 ** 31 - 1

const digits = (count: number, width: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, n) => String(n).padStart(width, "0"))

const sixtieths = digits(60, 2)
const thousandths = digits(1000, 3)

/** The date of the day that was written last, up to the `T`. */
let known = { day: Number.NaN, date: "" }

const dateOf = (dayNumber: number): string => {
  if (known.day !== dayNumber) {
    const midnight = new Date(dayNumber * day).toISOString()
    known = { day: dayNumber, date: midnight.slice(0, midnight.indexOf("T") + 1) }
  }
  return known.date
}

/** ISO 8601, UTC, milliseconds, `Z`: what `Date` writes, in 0.05 µs instead of 0.44, for lists of a hundred of them. */
export const toIso = (at: Instant): string => {
  const dayNumber = Math.floor(at / day)
  const milliseconds = at - dayNumber * day
  const seconds = Math.trunc(milliseconds / second)
  const minutes = Math.trunc(seconds / 60)
  const time = `${sixtieths[Math.trunc(minutes / 60)]}:${sixtieths[minutes % 60]}:${sixtieths[seconds % 60]}`
  return `${dateOf(dayNumber)}${time}.${thousandths[milliseconds % second]}Z`
}

/** Code units of a written instant: twice as many as the longest form has. */
const maxLength = 64

const iso =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|z|[+-]\d{2}(?::?\d{2})?)?$/

/**
 * Reads an ISO 8601 instant. Without an offset it is UTC; a date without a time is no instant.
 * Impossible dates (30 February, hour 25) are refused, and so are years that a timestamp cannot carry.
 */
export const parse = (text: string): Instant | undefined => {
  const m = iso.exec(text.trim())
  if (m === null) return undefined
  const [, y, mo, d, h, mi, s = "00", fraction = "", offset = "Z"] = m
  const [year, month, dayOfMonth, hours, minutes, seconds] = [y, mo, d, h, mi, s].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number
  ]
  if (month < 1 || month > 12 || hours > 23 || minutes > 59 || seconds > 59) return undefined
  const local = Date.UTC(year, month - 1, dayOfMonth, hours, minutes, seconds)
  const check = new Date(local)
  check.setUTCFullYear(year)
  if (check.getUTCDate() !== dayOfMonth || check.getUTCMonth() !== month - 1 || year < 100) return undefined
  const at = local + Number(fraction.padEnd(3, "0").slice(0, 3)) - offsetMillis(offset)
  return isWritable(at) ? make(at) : undefined
}

const offsetMillis = (offset: string): number => {
  if (offset === "Z" || offset === "z") return 0
  const digits = offset.slice(1).replace(":", "")
  const span = Number(digits.slice(0, 2)) * hour + Number(digits.slice(2, 4) || "0") * minute
  return offset.startsWith("-") ? -span : span
}

/** The years that a timestamp can carry: four digits, and none that JavaScript reads as one of the 20th century. */
const earliest = Date.UTC(100, 0, 1)
const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

const isWritable = (milliseconds: number): boolean => milliseconds >= earliest && milliseconds <= latest

/** The annotation of a schema whose numbers are instants, by which a storage knows them from other numbers. */
export const mark = "trunkline/instant"

const onTheWire = (text: Schema.Codec<string, string>): Schema.Codec<Instant, string> =>
  text.pipe(
    Schema.decodeTo(Schema.Number.annotate({ [mark]: true }), {
      decode: SchemaGetter.transformEffect((given: string) => {
        const at = parse(given)
        return at === undefined
          ? Effect.fail(new SchemaIssue.InvalidValue({ message: notAnInstant }))
          : Effect.succeed(at)
      }),
      encode: SchemaGetter.transform((at: number) => toIso(at as Instant))
    })
  ) as unknown as Schema.Codec<Instant, string>

const notAnInstant = "Expected an ISO 8601 instant such as 2026-11-21T09:30:00Z"

/** The wire form of answers: one form is written. */
export const Iso = onTheWire(Schema.String.annotate({ format: "date-time" }))

/** The wire form of requests: any ISO 8601 instant is read, and `date-time` would forbid those without an offset. */
export const AnyIso = onTheWire(
  Schema.String.check(Schema.isMaxLength(maxLength)).annotate({
    description: "An ISO 8601 instant such as 2026-11-21T09:30:00Z; without an offset it is UTC"
  })
)

const ofHost = (given: unknown): Instant | undefined => {
  if (typeof given === "string") return parse(given)
  const milliseconds = given instanceof Date ? given.getTime() : given
  return Number.isInteger(milliseconds) && isWritable(milliseconds as number) ? make(milliseconds as number) : undefined
}

const notGiven =
  "Expected a Date, whole milliseconds since 1970 UTC, or an ISO 8601 instant such as 2026-11-21T09:30:00Z"

/** How a host passes an instant to a promise. */
export const Given = Schema.Unknown.pipe(
  Schema.decodeTo(Schema.Number, {
    decode: SchemaGetter.transformEffect((given: unknown) => {
      const at = ofHost(given)
      return at === undefined
        ? Effect.fail(new SchemaIssue.InvalidValue({ message: notGiven }))
        : Effect.succeed<number>(at)
    }),
    encode: SchemaGetter.transform((at: number): unknown => at)
  })
) as unknown as Schema.Codec<Instant, Date | number | string>
