/** A model's text as it is spoken: without signs that nobody speaks. Pure, and linear. Source: docs/reference/voice-agent.md#pipeline. */

import { withoutEmphasis } from "./Emphasis.ts"

const address = /<?\bhttps?:\/\/(?:www\.)?([^\s/<>?#]+)[^\s<>]*>?/gi
const mailAddress = /<([^\s<>@]+@[^\s<>@]+)>/g
const tag =
  /<\/?(?:a|b|br|code|del|div|em|h[1-6]|hr|i|li|mark|ol|p|pre|s|small|span|strong|sub|sup|u|ul)(?:\s[^<>]*)?\/?>/gi
/** A joiner between letters stays: scripts of India need it. */
const emoji =
  /(?:\p{Extended_Pictographic}|[\u{1F1E6}-\u{1F1FF}])(?:[\u{1F3FB}-\u{1F3FF}\u{FE0F}\u{20E3}]|\u{200D}(?=\p{Extended_Pictographic}))*|[\u{FE0F}\u{20E3}]/gu

/** Where a part of a text stands. */
export interface Place {
  /** Whether it begins a line. */
  readonly beginsLine: boolean
  /** Marks of emphasis that are open before it. */
  readonly open: ReadonlyArray<string>
}

export interface Spoken {
  /** Empty where there is nothing to speak. */
  readonly text: string
  readonly open: ReadonlyArray<string>
}

const whole: Place = { beginsLine: true, open: [] }

/** Letters, digits, blanks of one line and signs that are spoken, or pauses: nothing of it is Markdown, an address or an emoji. */
const ordinary = /^[\p{L}\p{M}\p{N} .,;!?…।'’"“”„()%€$&]*$/u

const tidied = (text: string): string => {
  const plain = text
    .replace(/\s+/g, " ")
    .replace(/\s([,.;:!?])/g, "$1")
    .trim()
  return /[\p{L}\p{N}]/u.test(plain) ? plain : ""
}

/** A part of a text as it is spoken. */
export const spokenPart = (text: string, { beginsLine, open }: Place): Spoken => {
  if (ordinary.test(text)) return { text: tidied(text), open }
  const unlinked = withoutLinks(text.replace(/\x60{3}[\s\S]*?(?:\x60{3}|$)/g, " "))
    .replace(address, "$1")
    .replace(mailAddress, "$1")
    .replace(tag, " ")
    .replace(emoji, " ")
  const lines = unlinked.split("\n").map((line, nth) => (nth === 0 && !beginsLine ? line : lineForSpeech(line)))
  const unmarked = withoutEmphasis(lines.join("\n"), open)
  return { text: tidied(unmarked.text), open: unmarked.open }
}

/** A text without Markdown, code, emoji and addresses; a link becomes its text. Empty where there is nothing to speak. */
export const fitForSpeech = (text: string): string => spokenPart(text, whole).text

/** A line without the mark of a heading, a quotation or an item; a rule, also one between the rows of a table, is blank. */
const lineForSpeech = (line: string): string => {
  if (line.trim() === "") return line
  const said = line.replace(/^[ \t]*(?:#{1,6}(?:\s|$)|>(?:\s|$)|[-*+•](?:\s|$))/, "")
  const isTable = /^[-:|\s]+$/.test(said) && said.includes("---") && said.includes("|")
  const isRule = /^[-=*_\s]+$/.test(said) && said.replace(/\s/g, "").length >= 3
  if (isTable || isRule) return " "
  const isRow = /^\s*\|.*\|\s*$/.test(said)
  return isRow
    ? said
        .split("|")
        .map((cell) => cell.trim())
        .filter((cell) => cell !== "")
        .join(", ")
    : said
}

/** Each link, and each image, becomes its text. The text between its brackets has no closing bracket. */
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
