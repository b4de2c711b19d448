/** What the compatible send refuses without asking the platform, under the platform's own codes. Pure. Source: docs/reference/errors.md#compatible-send. */
import * as Schema from "effect/Schema"

/** A field or the number is not what it must be; or more than 24 hours have passed since the customer wrote. */
export const compatibleCodes = { invalid: 100, windowClosed: 131047 } as const

export class CompatibleRefused extends Schema.TaggedError<CompatibleRefused>()("CompatibleRefused", {
  code: Schema.Literals([compatibleCodes.invalid, compatibleCodes.windowClosed]),
  /** The sentence that names the fault. */
  message: Schema.String,
  /** What to do about it. */
  details: Schema.String
}) {}

/** Refuses a field, or the whole. */
export const invalid = (message: string, details: string): CompatibleRefused =>
  new CompatibleRefused({ code: compatibleCodes.invalid, message, details })
