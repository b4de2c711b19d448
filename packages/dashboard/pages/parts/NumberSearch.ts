/** One search field for numbers and words: which of the two a text is. Pure. */

/** As long as the server takes a number. */
const maxNumber = 64

/** A text of three digits or more that has nothing but a number in it is looked for as one. */
export const numberOrWords = (text: string): { readonly phone?: string; readonly q?: string } => {
  if (text === "") return {}
  const digits = text.match(/\p{Nd}/gu)?.length ?? 0
  return digits >= 3 && text.length <= maxNumber && !/\p{L}/u.test(text) ? { phone: text } : { q: text }
}
