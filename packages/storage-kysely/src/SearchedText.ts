/**
 * Search for a part of a text in which the case of no script counts. What is searched is the text as it is stored: the pattern has
 * every form of each character, so that no column and no index is kept for it, and both databases find the same.
 * Source: docs/reference/http-conventions.md#search.
 */
import { type RawBuilder, sql } from "kysely"

/** The characters of a text without their case: `ß` is `ss`, and the Turkish forms of i are one character. */
export const folded = (text: string): string => [...text].map(foldedCharacter).join("")

const sharpS = /^[ßẞ]$/
const dot = "\u0307"

/** By code point: in a word, the small form of `Σ` depends on what follows it. */
const foldedCharacter = (character: string): string => {
  if (sharpS.test(character)) return "ss"
  const small = character.toUpperCase().toLowerCase().replace(`i${dot}`, "i")
  // What has no single capital, such as a ligature, has no case here.
  return [...small].length === 1 ? small : character
}

/** The last code point that has case is below it. */
const casedEnd = 0x1e944

const formsOfCharacters = (): ReadonlyMap<string, string> => {
  const forms = new Map<string, string>()
  for (let code = 0; code < casedEnd; code++) {
    // Ideographs, Hangul and surrogates have no case.
    if (code === 0x2e80) code = 0xa640
    if (code === 0xac00) code = 0xfb00
    const character = String.fromCodePoint(code)
    const fold = foldedCharacter(character)
    if (fold !== character && fold !== "ss") forms.set(fold, (forms.get(fold) ?? fold) + character)
  }
  return forms
}

let known: ReadonlyMap<string, string> | undefined

/** Every form of a folded character, in one text. */
const formsOf = (character: string): string => {
  known ??= formsOfCharacters()
  return known.get(character) ?? character
}

/** The one character that becomes two without its case: it is replaced in what is searched. */
export const withoutSharpS = (text: string | RawBuilder<unknown>): RawBuilder<string> =>
  sql`replace(replace(${typeof text === "string" ? sql.ref(text) : text}, 'ß', 'ss'), 'ẞ', 'ss')`

const globSpecial = /[*?[]/
const regexSpecial = /[\\^$.|?*+()[\]{}]/

const classOf = (character: string, special: RegExp, escaped: (sign: string) => string): string => {
  const forms = formsOf(character)
  if (forms !== character) return `[${forms}]`
  return special.test(character) ? escaped(character) : character
}

/** What a statement looks for, as one value: each database is given its own pattern. */
export class SearchedText {
  /** For `glob`. */
  readonly glob: string
  /** For `~`. */
  readonly regex: string

  constructor(text: string) {
    const characters = [...folded(text.trim())]
    this.glob = `*${characters.map((character) => classOf(character, globSpecial, (sign) => `[${sign}]`)).join("")}*`
    this.regex = characters.map((character) => classOf(character, regexSpecial, (sign) => `\\${sign}`)).join("")
  }
}
