/** Writes an event as a message for people, in the blocks of a team chat's incoming webhook (Slack's Block Kit). */
import { Instant, isObject } from "../../platform/kernel/index.ts"

/** Source: docs/reference/webhooks-receiving.md#team-chat. */
export interface TeamChatMessage {
  /** For notifications, and for programs that show no blocks. Holds nothing of the data. */
  readonly text: string
  readonly blocks: ReadonlyArray<Block>
  /** No address in the data is visited for a preview. */
  readonly unfurl_links: false
  readonly unfurl_media: false
}

/** What `plain_text` holds is never read as markup; escaped all the same, as the format asks of every text. */
type Text =
  | { readonly type: "plain_text"; readonly text: string; readonly emoji: false }
  | { readonly type: "mrkdwn"; readonly text: string }

type Block =
  | { readonly type: "header"; readonly text: Text }
  | { readonly type: "section"; readonly text: Text }
  | { readonly type: "section"; readonly fields: ReadonlyArray<Text> }
  | { readonly type: "context"; readonly elements: ReadonlyArray<Text> }

interface TeamChatEvent {
  readonly event: string
  /** Any JSON. */
  readonly data: Readonly<Record<string, unknown>>
  readonly at: Instant.Instant
}

/**
 * True of an address on one of the hosts, compared as parsed: what looks like the host in another place of the address, or
 * is only the beginning or end of a longer name, is another host.
 */
export const isTeamChat = (url: string | URL, hosts: ReadonlyArray<string>): boolean => {
  const parsed = typeof url === "string" ? URL.parse(url) : url
  return parsed !== null && hosts.some((host) => host.toLowerCase() === parsed.hostname)
}

/** The format's bounds, in UTF-16 units after escaping. That of the whole is not published: messages of about 13,000 are refused. */
const bounds = { header: 150, field: 2000, section: 3000, fieldsOfSection: 10, facts: 11_000 } as const

/** Choice: more than this is a table, not a message. It also keeps the blocks below the format's 50. */
const maxFacts = 30

/** A value that is longer than this, or has several lines, is read better across the whole width than in half of it. */
const narrow = 100

/**
 * The event as a message: its title in words, its data with what people ask for first and ids last, and the instant.
 *
 * Total: any data give a message within the format's bounds. What has no room is counted in the last line; what is empty
 * (null, blank text, an empty list) is neither shown nor counted.
 */
export const teamChatBody = ({ at, data, event }: TeamChatEvent): TeamChatMessage => {
  const title = fit(titleOf(event), bounds.header)
  const moment = `${Instant.toIso(at).slice(0, 19).replace("T", " ")} UTC`
  const facts = factsOf(data)
  const shown = thatFit(facts)
  const left = facts.length - shown.length
  const notes = [moment, fit(clean(event), bounds.header), left === 0 ? "" : `${left} more not shown`]
  return {
    text: `${title} (${moment})`,
    blocks: [
      { type: "header", text: plain(title) },
      ...blocksOf(shown),
      { type: "context", elements: notes.filter(isVisible).map(plain) }
    ],
    unfurl_links: false,
    unfurl_media: false
  }
}

const titles = new Map([
  ["test", "Test event"],
  ["call.amd_detected", "Call answered by a person or a machine"],
  ["message.status", "Message status changed"]
])

const titleOf = (event: string): string => titles.get(event) ?? [words(event)].find(isVisible) ?? "Event"

const acronyms = new Map([
  ["api", "API"],
  ["id", "ID"],
  ["ids", "IDs"],
  ["url", "URL"]
])

/** `voice_session.ended` is "Voice session ended". */
const words = (name: string): string => {
  const text = clean(name.replace(/[\s._-]+/g, " "))
    .split(" ")
    .map((word) => acronyms.get(word) ?? word)
    .join(" ")
  const [initial = ""] = text
  return initial.toUpperCase() + text.slice(initial.length)
}

interface Fact {
  readonly key: string
  readonly label: string
  readonly value: string
}

/** What people ask first, in this order. Everything else follows as it comes, and ids at the end. */
const foremost = [
  "name",
  "status",
  "reason",
  "error",
  "text",
  "summary",
  "from",
  "to",
  "recipient",
  "amount",
  "currency"
]

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const rankOf = ({ key, value }: Fact): number => {
  if (/(?:^|_|msg)ids?$/.test(key) || uuid.test(value)) return foremost.length + 1
  const place = foremost.indexOf(key)
  return place < 0 ? foremost.length : place
}

const factsOf = (data: Readonly<Record<string, unknown>>): ReadonlyArray<Fact> =>
  Object.entries(data)
    .flatMap(([key, value]) => {
      // One level of nesting is laid out; deeper ones are counted, because a tree is no message.
      const inner = isObject(value) ? Object.entries(value) : undefined
      return inner === undefined
        ? [{ key, label: labelOf(key), value: valueText(value) }]
        : inner.map(([own, one]) => ({ key: own, label: labelOf(key, own), value: valueText(one) }))
    })
    .filter(({ value }) => isVisible(value))
    .sort((a, b) => rankOf(a) - rankOf(b))

const labelOf = (...path: ReadonlyArray<string>): string => path.map(words).filter(isVisible).join(" › ") || "(no name)"

/** A blank text is refused by the chat, and takes the whole message with it. */
const isVisible = (text: string): boolean => /[^\p{Z}\p{Cf}\p{M}\n]/u.test(text)

const valueText = (value: unknown): string => {
  if (value === null || value === undefined) return ""
  if (typeof value === "boolean") return value ? "yes" : "no"
  if (isObject(value)) return counted(Object.keys(value).length, "field", "fields")
  if (!Array.isArray(value)) return clean(String(value))
  return value.some((one) => typeof one === "object" && one !== null)
    ? counted(value.length, "entry", "entries")
    : value.map(valueText).join(", ")
}

const counted = (count: number, one: string, several: string): string =>
  count === 0 ? "" : `${count} ${count === 1 ? one : several}`

/** Facts for which the message has room, in their order: a long one that has none leaves its place to shorter ones. */
const thatFit = (facts: ReadonlyArray<Fact>): ReadonlyArray<Fact> => {
  let room: number = bounds.facts
  return facts
    .filter((fact) => {
      const length = textsOf(fact).reduce((sum, { text }) => sum + text.length, 0)
      if (length > room) return false
      room -= length
      return true
    })
    .slice(0, maxFacts)
}

const isWide = ({ value }: Fact): boolean => value.length > narrow || value.includes("\n")

/**
 * A name and its value side by side, or one above the other in one text. Values are never markup, of which only some
 * characters could be escaped. Names are bold where they are made of nothing that markup could be made of.
 */
const textsOf = (fact: Fact): ReadonlyArray<Text> => {
  const label = fit(fact.label, bounds.header)
  if (isWide(fact)) return [plain(`${label}:\n${fit(fact.value, bounds.section - label.length - 2)}`)]
  const harmless = /^[\p{L}\p{N} ›]+$/u.test(label)
  return [harmless ? { type: "mrkdwn", text: `*${label}*` } : plain(label), plain(fit(fact.value, bounds.field))]
}

const blocksOf = (facts: ReadonlyArray<Fact>): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  let fields: Array<Text> = []
  const close = () => {
    if (fields.length > 0) blocks.push({ type: "section", fields })
    fields = []
  }
  for (const fact of facts) {
    const texts = textsOf(fact)
    const [only] = texts
    if (isWide(fact) || fields.length === bounds.fieldsOfSection) close()
    if (isWide(fact) && only !== undefined) blocks.push({ type: "section", text: only })
    else fields.push(...texts)
  }
  close()
  return blocks
}

const plain = (text: string): Text => ({ type: "plain_text", text, emoji: false })

/** Control characters become blanks, those that turn the direction of text go, halves of a pair become a visible sign. */
const clean = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\p{Bidi_Control}/gu, "")
    .replace(/(?!\n)\p{Cc}/gu, " ")
    .trim()

const entities = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"]
])

/** The text escaped, and then at most `limit` long: cut between code points, never within an entity, with a sign of the cut. */
const fit = (text: string, limit: number): string => {
  let out = ""
  let kept = 0
  for (const char of text) {
    const next = out + (entities.get(char) ?? char)
    if (next.length > limit) return `${out.slice(0, kept)}…`
    out = next
    if (out.length < limit) kept = out.length
  }
  return out
}
