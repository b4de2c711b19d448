/** Reads values of the file whose shape is not known yet. Pure. */

/** A property of a value that may be anything; undefined where it has none. */
export const property = (of: unknown, name: string): unknown =>
  typeof of === "object" && of !== null && Object.hasOwn(of, name) ? (of as Record<string, unknown>)[name] : undefined
