/** The faults of an installation's own texts of the portal page, and of their language. Pure. Source: docs/reference/webhooks-portal.md#words. */
import { english } from "@trunkline/portal/words"
import { nearestName } from "../../platform/kernel/index.ts"

export interface WordFault {
  readonly key: string
  /** Goes on after the key: `must have …`. */
  readonly message: string
}

const englishWords: Readonly<Record<string, string>> = english

/** The English text that a key replaces. Other languages have more forms of a text about a number: those replace `….other`. */
const englishOf = (key: string): string | undefined =>
  [key, key.replace(/\.(?:zero|two|few|many)$/, ".other")]
    .filter((one) => Object.hasOwn(englishWords, one))
    .map((one) => englishWords[one])[0]

const placeholdersOf = (text: string): ReadonlyArray<string> => [...new Set(text.match(/\{\w+\}/g))]

const unknownKey = (key: string): string => {
  const nearest = nearestName(key, Object.keys(english))
  return `is no key of a text: ${nearest === undefined ? "docs/reference/webhooks-portal.md#words lists all keys" : `did you mean ${nearest}?`}`
}

const faultsOf = (key: string, text: string): ReadonlyArray<string> => {
  const replaced = englishOf(key)
  if (replaced === undefined) return [unknownKey(key)]
  if (text.trim() === "") return ["must be a text that is not empty"]
  const [wanted, given] = [placeholdersOf(replaced), placeholdersOf(text)]
  return [
    ...wanted
      .filter((one) => !given.includes(one))
      .map((one) => `must have ${one}, as its English text has: ${JSON.stringify(replaced)}`),
    ...given
      .filter((one) => !wanted.includes(one))
      .map((one) => `must not have ${one}, which its English text does not have: ${JSON.stringify(replaced)}`)
  ]
}

/** Everything that is wrong with an installation's texts; found at start-up. */
export const wordFaults = (words: Readonly<Record<string, string>>): ReadonlyArray<WordFault> =>
  Object.entries(words).flatMap(([key, text]) => faultsOf(key, text).map((message) => ({ key, message })))

/** A language tag in its usual spelling; null for a text that is none. */
export const languageOf = (tag: string): string | null => {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch {
    return null
  }
}
