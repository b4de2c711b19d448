/** What is wrong with an installation's own texts of a page that people see. Pure. Source: docs/reference/webhooks-portal.md#words. */
import { nearestName } from "../kernel/index.ts"

export interface WordFault {
  readonly key: string
  /** Goes on after the key: `must have …`. */
  readonly message: string
}

/** The texts of a page that may be replaced. */
export interface Replaceable {
  readonly english: Readonly<Record<string, string>>
  /** Where the keys are listed: `docs/reference/webhooks-portal.md#words`. */
  readonly list: string
}

/** The English text that a key replaces. Other languages have more forms of a text about a number: those replace `….other`. */
const englishOf = (key: string, english: Replaceable["english"]): string | undefined =>
  [key, key.replace(/\.(?:zero|two|few|many)$/, ".other")]
    .filter((one) => Object.hasOwn(english, one))
    .map((one) => english[one])[0]

const placeholdersOf = (text: string): ReadonlyArray<string> => [...new Set(text.match(/\{\w+\}/g))]

const unknownKey = (key: string, { english, list }: Replaceable): string => {
  const nearest = nearestName(key, Object.keys(english))
  return `is no key of a text: ${nearest === undefined ? `${list} lists all keys` : `did you mean ${nearest}?`}`
}

const faultsOf = (key: string, text: string, replaceable: Replaceable): ReadonlyArray<string> => {
  const replaced = englishOf(key, replaceable.english)
  if (replaced === undefined) return [unknownKey(key, replaceable)]
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
export const wordFaults = (
  words: Readonly<Record<string, string>>,
  replaceable: Replaceable
): ReadonlyArray<WordFault> =>
  Object.entries(words).flatMap(([key, text]) => faultsOf(key, text, replaceable).map((message) => ({ key, message })))
