/** Numbers that follow from a seed and names, the same in every process and run. */

/** From 0 up to 1, one after the other. */
export type Random = () => number

const mixed = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193) >>> 0

/** A source of its own for each combination of names. */
export const randomOf = (...names: ReadonlyArray<string | number>): Random => {
  let state = [...names.join("/")].reduce((hash, sign) => mixed(hash, sign.codePointAt(0)!), 0x811c9dc5)
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let value = Math.imul(state ^ (state >>> 15), state | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return ((value ^ (value >>> 14)) >>> 0) / 0x1_0000_0000
  }
}

export const between = (random: Random, min: number, max: number): number => min + random() * (max - min)

export const whole = (random: Random, min: number, max: number): number => Math.floor(between(random, min, max + 1))

export const oneOf = <A>(random: Random, values: ReadonlyArray<A>): A => values[whole(random, 0, values.length - 1)]!

/** One of the values, as often as their weights say. */
export const weighted = <A>(random: Random, values: ReadonlyArray<readonly [value: A, weight: number]>): A => {
  let rest = random() * values.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [value, weight] of values) {
    rest -= weight
    if (rest < 0) return value
  }
  return values[0]![0]
}
