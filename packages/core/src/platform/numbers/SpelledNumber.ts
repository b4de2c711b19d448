/** Reads letters that stand for a telephone's keys, as in `1-800-FLOWERS`. Pure. Source: docs/reference/suppression.md#folding. */

/** Digits from which on letters are a remark. */
const wholeDigits = 10
/** A word of fewer letters is no name of a number. */
const minLetters = 4

const word = /^([-. ]?)([A-Za-z]+(?:-[A-Za-z]+)*)(.*)$/su
const free = /^1?8(?:00|33|44|55|66|77|88)/
const whole = /^1?[2-9][0-9]{2}[2-9][0-9]{6}$/
const wholeFree = /^(?:1[0-9]{10}|[2-9][0-9]{9})$/

const keyOf = (char: string): string => "22233344455566677778889999"[char.toUpperCase().charCodeAt(0) - 65]!

/**
 * The whole number that a word behind digits makes with them; `keys` where it is such a word and makes none; `undefined` where it
 * is a label, a remark or an extension. `gap` is what stands between the digits and the next ones, or the end of the text.
 */
export const spelled = (digits: string, gap: string, isLast: boolean): string | "keys" | undefined => {
  const [, joint, written = "", rest = ""] = word.exec(gap) ?? []
  const letters = written.replaceAll("-", "")
  if (letters.length < 2 || digits.length >= wholeDigits) return undefined
  const isFree = free.test(digits)
  const isUpper = letters === letters.toUpperCase()
  // Apart from the digits it is the name of a street or of a person as well.
  if (joint === " " && !(isFree && isUpper && !/\p{L}/u.test(rest))) return undefined
  const all = digits + letters.replace(/[A-Za-z]/g, keyOf)
  if (letters.length >= minLetters && (isFree ? wholeFree : whole).test(all)) return all
  const isExtension = !isLast && !/\p{L}/u.test(rest)
  return isUpper || isFree ? (isExtension || letters.length < 3 ? undefined : "keys") : undefined
}
