/** Which order a single key gives at the preview desk. Pure. */

export type DeskOrder = "call" | "skip" | "next" | "do-not-call"

const orders: Readonly<Record<string, DeskOrder>> = { c: "call", s: "skip", n: "next", d: "do-not-call" }

export const keyOf = (order: DeskOrder): string =>
  Object.entries(orders).find(([, named]) => named === order)?.[0] ?? ""

type Pressed = Pick<KeyboardEvent, "altKey" | "code" | "ctrlKey" | "isComposing" | "key" | "metaKey" | "repeat">

const isLatin = (key: string): boolean => /^[ -~]$/.test(key)

/**
 * The order of a key, or the number of an outcome from 0; null where it is none. On keyboards of other scripts, and on
 * those that write digits with the shift key, the place of the key counts.
 */
export const orderOf = (pressed: Pressed, outcomes: number): DeskOrder | number | null => {
  if (pressed.altKey || pressed.ctrlKey || pressed.metaKey || pressed.repeat || pressed.isComposing) return null
  const { code, key } = pressed
  const digit = /^[1-9]$/.exec(key)?.[0] ?? /^(?:Digit|Numpad)([1-9])$/.exec(code)?.[1]
  if (digit !== undefined) return Number(digit) <= outcomes ? Number(digit) - 1 : null
  const written = isLatin(key) ? key.toLowerCase() : (/^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? "")
  return orders[written] ?? null
}
