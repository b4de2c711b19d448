/** Finds the name that a misspelt one was probably meant to be. Pure. */

/** `quiet_hours_start` and `quietHoursStart` are one name in two spellings. */
const folded = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "")

/** The number of characters to insert, remove or replace to make one text of the other. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    }
    row = next
  }
  return row[b.length]!
}

/** Names longer than this are not compared: the work grows with the product of both lengths. */
const maxLength = 64

/** The one of `names` that differs least from `given`, or undefined when none is near: at most a third may differ. */
export const nearestName = (given: string, names: ReadonlyArray<string>): string | undefined => {
  const wanted = folded(given)
  if (wanted === "" || wanted.length > maxLength) return undefined
  const [nearest] = names
    .map((name) => ({ name, distance: distance(wanted, folded(name)) }))
    .filter((one) => one.distance <= Math.floor(wanted.length / 3))
    .sort((a, b) => a.distance - b.distance)
  return nearest?.name
}
