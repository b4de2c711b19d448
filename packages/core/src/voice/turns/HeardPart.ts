/** What a caller has heard of an interrupted sentence. Pure. Source: docs/reference/turn-taking.md#heard. */

/** The words of a text that were spoken in a part of its sound, from 0 to 1; a word that had begun counts. */
export const heardOf = (text: string, part: number): string => {
  if (part >= 1) return text
  if (part <= 0) return ""
  const letters = text.length * part
  const end = [...text.matchAll(/\S+/g)].findLast(({ index }) => index < letters)
  return end === undefined ? "" : text.slice(0, end.index + end[0].length)
}
