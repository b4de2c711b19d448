/** Finds the digits of one telephone number in a text that may hold more than it. Pure. Source: docs/reference/suppression.md#folding. */
import { spelled } from "./SpelledNumber.ts"

/** Digits after which a number may end, and the fewest that can be dialed. */
export const minDigits = 7

/** Digits of a number of North America with its country code: it has no more. */
const americanDigits = 11

/** Digits that no number has without its country code. */
const twoNumbersDigits = 14

interface Scanned {
  readonly digits: string
  readonly isInternational: boolean
  /** Where the first of the digits stands in the text. */
  readonly start: number
}

/**
 * What stands between two runs of digits: part of one number; a label, so that the number begins behind it; the end of the
 * number; or what may be one or the other, so that the text is no number.
 */
type Role = "inside" | "label" | "end" | "unclear"

interface Gap {
  readonly text: string
  /** All digits of the number before it. */
  readonly before: string
  /** The digits behind it, as far as they may belong to the number; the first run of them alone; those up to a blank. */
  readonly after: string
  readonly run: string
  readonly token: string
  /** The digits before it from the last blank on. */
  readonly lastToken: string
  readonly isInternational: boolean
  /** A word stands in front of the number. */
  readonly hasWord: boolean
  /** Signs that are no usual ones were passed over before. */
  readonly hasSign: boolean
}

/** What usually stands between the digits of a number. */
const usual = /[\p{Zs}\p{Pd}\p{Pc}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{M}.·‧•・∙⋅−'"´`]/gu
const alphabetic = /\p{L}/u
const slash = /^[/\\]$/
/** Stands behind the name of a field. */
const fieldSign = /[:|\r\n\t]/
const blank = /\s/
/** More than one blank, also with a hyphen between them. */
const apart = /\s\p{Pd}?\s/u

const significant = (digits: string): string => digits.replace(/^0+/, "")
const isAbroad = ({ before, isInternational }: Gap): boolean => isInternational || before.startsWith("00")

/** Whether the next digits are another number that differs from this one in its last digits alone: `901820/901821`. */
const isVariant = (before: string, run: string): boolean => {
  if (run.length < 2 || run.length > 9 || run.length > before.length) return false
  const same = Math.ceil(run.length / 2)
  return before.slice(-run.length).slice(0, same) === run.slice(0, same)
}

/** Two short numbers, neither of which can be dialed without its area. */
const isTwoShort = (gap: Gap): boolean =>
  !isAbroad(gap) && !gap.before.startsWith("0") && gap.before.length >= 6 && gap.after.length >= 6

/** Before the seventh digit: letters are a label, and a single sign is ignored. */
const earlyRole = (gap: Gap): Role => {
  const { after, before, hasSign, hasWord, isInternational, run, text } = gap
  const isLabel = before.length <= 2
  if (text.includes("+")) return isInternational || text === "+" ? "unclear" : "label"
  if (alphabetic.test(text) && !/^[xpw]$/i.test(text)) {
    return isInternational ? "inside" : isLabel && !alphabetic.test(text.at(-1)!) ? "label" : "unclear"
  }
  const signs = text.replace(usual, "")
  if (signs === "") return before.length >= 6 && run.length >= 6 && isVariant(before, run) ? "unclear" : "inside"
  if (isInternational) return signs.length === 1 ? "inside" : "unclear"
  if (isTwoShort(gap)) return "unclear"
  if (slash.test(signs)) return "inside"
  if (signs.length > 1) return isLabel ? "label" : "unclear"
  if (hasSign) return "unclear"
  const isField = isLabel && after.length >= minDigits && fieldSign.test(signs)
  if (isField && (text.length > 1 || hasWord)) return "label"
  return text.length > 1 && after.length >= minDigits ? "unclear" : "inside"
}

/**
 * Behind seven digits a slash follows an area code with its country, or ends the number. What may be either, as in
 * `+49 33203 / 123456`, is no number.
 */
const slashRole = (gap: Gap): Role => {
  const { after, before, run, text } = gap
  const isWhole = (isAbroad(gap) ? significant(before) : before).length > minDigits + 1
  if (isWhole || isVariant(before, run)) return "end"
  if (!isAbroad(gap)) return after.length === 5 || after.length === 6 ? "unclear" : "end"
  if (blank.test(text)) return after.length < 5 ? "end" : "unclear"
  return after.length < 3 ? "end" : "inside"
}

/** Behind seven digits a bracket holds an extension, or the last part of the number. */
const bracketRole = ({ before, run, text }: Gap): Role =>
  before.length >= 10 || (blank.test(text) && run.length <= 2) ? "end" : "unclear"

/** From the seventh digit on: all that is not usual in a number ends it. */
const lateRole = (gap: Gap): Role => {
  const { after, before, isInternational, lastToken, run, text, token } = gap
  if (isInternational && before.startsWith("1") && before.length >= americanDigits) return "end"
  const signs = text.replace(usual, "")
  if (slash.test(signs)) return slashRole(gap)
  if (signs !== "") return "end"
  if (/\p{Ps}/u.test(text)) return bracketRole(gap)
  if (significant(before).length > minDigits && run.length >= 5 && isVariant(before, run)) return "unclear"
  if (apart.test(text) && after.length >= minDigits) return "end"
  const areTwo = significant(lastToken).length >= minDigits && significant(token).length >= minDigits
  return blank.test(text) && areTwo ? "end" : "inside"
}

/** Digits of the runs from a place on, up to a gap with a sign or a word. */
const digitsFrom = (parts: ReadonlyArray<string>, at: number, ends: (gap: string) => boolean): string => {
  let digits = ""
  for (let run = at; run < parts.length; run += 2) {
    digits += parts[run]!
    if (ends(parts[run + 1] ?? "")) break
  }
  return digits
}

const hasSigns = (gap: string): boolean => gap.replace(usual, "") !== ""
const hasBlank = (gap: string): boolean => blank.test(gap) || hasSigns(gap)

/** Whether digits without a country code are as many as two numbers have, and could be parted into two. */
const isTwoLong = (digits: string, parts: ReadonlyArray<number>): boolean =>
  digits.length >= twoNumbersDigits &&
  !digits.startsWith("00") &&
  parts.some((at) => significant(digits.slice(0, at)).length >= minDigits && digits.length - at >= minDigits)

/** The number of a text whose digits are ASCII, or why it has none. */
export const scan = (text: string): Scanned | "keys" | "unclear" => {
  // Gaps at even places, runs of digits at odd ones.
  const parts = text.split(/([0-9]+)/)
  let [before, lastToken, start, hasSign] = ["", "", 0, false]
  let isInternational = parts[0]!.includes("+")
  const inside: Array<number> = []
  for (
    let run = 1, at = parts[0]!.length;
    run < parts.length;
    at += parts[run]!.length + parts[run + 1]!.length, run += 2
  ) {
    if (before === "") start = at
    before += parts[run]!
    lastToken += parts[run]!
    const isLast = run + 2 >= parts.length
    const word = spelled(before, parts[run + 1]!, isLast)
    if (word === "keys") return word
    if (word !== undefined) return { digits: word, isInternational, start }
    if (isLast) break
    const gap: Gap = {
      before,
      hasSign,
      isInternational,
      lastToken,
      text: parts[run + 1]!,
      after: digitsFrom(parts, run + 2, hasSigns),
      run: parts[run + 2]!,
      token: digitsFrom(parts, run + 2, hasBlank),
      hasWord: alphabetic.test(parts[0]!)
    }
    const role = before.length < minDigits ? earlyRole(gap) : lateRole(gap)
    if (role === "unclear") return role
    if (role === "end") break
    if (hasBlank(gap.text)) lastToken = ""
    if (role === "label") {
      isInternational = gap.text.includes("+")
      before = ""
    } else {
      inside.push(before.length)
      hasSign ||= hasSigns(gap.text) && !slash.test(gap.text.trim())
    }
  }
  return !isInternational && isTwoLong(before, inside) ? "unclear" : { digits: before, isInternational, start }
}
