/** A model's text as it is spoken: without signs that nobody speaks. Pure, and linear. Source: docs/voice-agent.md#pipeline. */

const address = /<?\bhttps?:\/\/(?:www\.)?([^\s/<>?#]+)[^\s<>]*>?/gi
const emoji = /(?:\p{Extended_Pictographic}|[\u{1F1E6}-\u{1F1FF}]|[\u{1F3FB}-\u{1F3FF}]|\u{FE0F}|\u{200D}|\u{20E3})+/gu

/** A text without Markdown, code, emoji and addresses; a link becomes its text. Empty where there is nothing to speak. */
export const fitForSpeech = (text: string): string => {
  const unlinked = withoutLinks(text.replace(/\x60{3}[\s\S]*?(?:\x60{3}|$)/g, " "))
    .replace(address, "$1")
    .replace(/\x60([^\x60]*)\x60/g, "$1")
    .replace(emoji, " ")
  const plain = withoutEmphasis(unlinked.split("\n").map(lineForSpeech).join("\n"))
    .replace(/[*_\x60~|#<>\\]+/g, " ")
    .replace(/\s+/g, " ")
    .replace(/\s([,.;:!?])/g, "$1")
    .trim()
  return /[\p{L}\p{N}]/u.test(plain) ? plain : ""
}

/** A line without the mark of a heading, a quotation or an item; a rule, or what is between the rows of a table, is blank. */
const lineForSpeech = (line: string): string => {
  const said = line.replace(/^[ \t]{0,3}(?:#{1,6}(?:\s|$)|>\s?|[-*+•](?:\s|$))/, "")
  const isTable = /^[-:|\s]+$/.test(said) && said.includes("---") && said.includes("|")
  const isRule = /^[-*_\s]+$/.test(said) && said.replace(/\s/g, "").length >= 3
  return isTable || isRule ? " " : said
}

/** Each link, and each image, becomes its text. What is between its brackets has no closing bracket. */
const withoutLinks = (text: string): string => {
  let plain = ""
  let done = 0
  let open = -1
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "[" && open < 0) open = at
    if (text[at] !== "]") continue
    if (open >= 0 && text[at + 1] === "(") {
      const end = text.indexOf(")", at + 2)
      if (end < 0) break
      const start = open > done && text[open - 1] === "!" ? open - 1 : open
      plain += text.slice(done, start) + text.slice(open + 1, at)
      done = end + 1
      at = end
    }
    open = -1
  }
  return plain + text.slice(done)
}

/** Longer marks before the shorter ones that they begin with. */
const marks = ["***", "**", "*", "___", "__", "~~"]

/** What stands between two equal marks, without them. A mark opens before a character and closes after one, blanks aside. */
const withoutEmphasis = (text: string): string => {
  /** Marks that nothing closes any more: each is searched for in vain once. */
  const unclosed = new Set<string>()
  let plain = ""
  let done = 0
  for (let at = 0; at < text.length; at++) {
    if (!"*_~".includes(text[at]!)) continue
    for (const mark of marks) {
      if (unclosed.has(mark) || !text.startsWith(mark, at)) continue
      const inner = at + mark.length
      if (isBlank(text[inner])) continue
      const end = closingMark(text, mark, inner + 1)
      if (end < 0) {
        unclosed.add(mark)
        continue
      }
      plain += text.slice(done, at) + text.slice(inner, end)
      done = end + mark.length
      at = done - 1
      break
    }
  }
  return plain + text.slice(done)
}

const isBlank = (sign: string | undefined): boolean => sign === undefined || /\s/.test(sign)

const closingMark = (text: string, mark: string, from: number): number => {
  let end = text.indexOf(mark, from)
  while (end >= 0 && isBlank(text[end - 1])) end = text.indexOf(mark, end + 1)
  return end
}
