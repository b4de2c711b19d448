/** How quick the machine is at this moment: a figure that is a time stands beside it. */

/** Milliseconds of a loop over 32 MB in an order that no cache foresees. It needs nothing from outside, so a page can run it. */
export const fixedLoop = (): number => {
  const length = 2 ** 22
  const numbers = new Float64Array(length)
  const began = performance.now()
  let at = 0
  for (let n = 0; n < 1_000_000; n++) {
    at = (at * 1_103_515_245 + 12_345 + numbers[at]!) % length
    numbers[at] = n & 1
  }
  return performance.now() - began
}
