/** Text and JSON as both databases can store them. */

/**
 * Replaces with U+FFFD what JSON can carry and Postgres cannot: U+0000 and half a surrogate pair. The edge refuses them;
 * a carrier or a model may still send them.
 */
export const storable = (text: string): string => {
  const wellFormed = text.toWellFormed()
  return wellFormed.includes("\0") ? wellFormed.replaceAll("\0", "\ufffd") : wellFormed
}

/** What stands before the hexadecimal digits in which Postgres reads and writes bytes. */
export const hexPrefix = "\\x"

/** Bytes as Postgres reads them, within JSON as by themselves. */
export const hexText = (bytes: Uint8Array): string =>
  `${hexPrefix}${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex")}`

const storableItem = (value: unknown): unknown => (typeof value === "string" ? storable(value) : value)

/**
 * Strings are made storable, those of a list too, since Postgres takes a list apart; arrays and objects become JSON text. Bytes stay
 * as they are.
 */
export const encodeText = (value: unknown): unknown => {
  if (typeof value === "string") return storable(value)
  if (Array.isArray(value)) return JSON.stringify(value.map(storableItem))
  if (typeof value === "object" && value !== null && !(value instanceof Uint8Array)) return JSON.stringify(value)
  return value
}
