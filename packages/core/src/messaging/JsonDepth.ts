/** How deeply JSON of others may be nested. Pure. */

/** Deeper than any message is. JSON may be nested so deeply that writing it again takes all of the stack. */
const deepest = 64

/** False of what is nested too deeply to be written again. */
export const isShallow = (value: unknown, depth = 0): boolean =>
  typeof value !== "object" ||
  value === null ||
  (depth < deepest && Object.values(value).every((one) => isShallow(one, depth + 1)))
