/** The messages of a conversation as they are shown: what is known of them, and which stand together. Pure. */
import type { Message } from "@trunkline/client"

/** Oldest first. */
export type Thread = ReadonlyArray<Message>

/**
 * What is known with the newest page as it has just been read, newest first. Where messages between the two may be missing, the page
 * alone is known: what stands before it is read again when somebody goes there.
 */
export const withNewest = (known: Thread, page: ReadonlyArray<Message>, pageSize: number): Thread => {
  const newest = page.toReversed()
  const ids = new Set(newest.map(({ id }) => id))
  const isJoined = page.length < pageSize || known.some(({ id }) => ids.has(id))
  return isJoined ? [...known.filter(({ id }) => !ids.has(id)), ...newest] : newest
}

/** With a page of older ones, newest first. */
export const withOlder = (known: Thread, page: ReadonlyArray<Message>): Thread => {
  const ids = new Set(known.map(({ id }) => id))
  return [...page.toReversed().filter(({ id }) => !ids.has(id)), ...known]
}

/** Messages of one writer, one after the other. */
export interface MessageRun {
  readonly messages: Thread
  /** The first run of a day. */
  readonly isNewDay: boolean
}

const togetherMs = 5 * 60_000

const writerOf = ({ role, sent_by }: Message): string => `${role} ${sent_by?.subject ?? ""}`

/** `dayOf`: the day of an instant, in the zone of the person who looks. */
export const runsOf = (thread: Thread, dayOf: (iso: string) => string): ReadonlyArray<MessageRun> => {
  const runs: Array<{ messages: Array<Message>; isNewDay: boolean }> = []
  let before: Message | undefined
  for (const message of thread) {
    const isNewDay = before === undefined || dayOf(before.created_at) !== dayOf(message.created_at)
    const goesOn =
      !isNewDay &&
      before !== undefined &&
      writerOf(before) === writerOf(message) &&
      Date.parse(message.created_at) - Date.parse(before.created_at) < togetherMs
    const last = runs.at(-1)
    if (goesOn && last !== undefined) last.messages.push(message)
    else runs.push({ messages: [message], isNewDay })
    before = message
  }
  return runs
}

/** Nobody knows whether it has arrived: it was neither accepted nor refused. */
export const isUncertain = ({ error, status }: Pick<Message, "error" | "status">): boolean =>
  status === "failed" && error !== null && error.code === null

/** A text and the addresses in it that a link may lead to. */
export type TextPiece = { readonly text: string; readonly href: string | null }

const address = /https?:\/\/[^\s<>"'`]+/g
/** What ends a sentence belongs to it, and not to the address. */
const tail = /[.,;:!?)\]}]+$/

export const piecesOf = (text: string): ReadonlyArray<TextPiece> => {
  const pieces: Array<TextPiece> = []
  let at = 0
  for (const { 0: found, index } of text.matchAll(address)) {
    const href = found.replace(tail, "")
    if (!URL.canParse(href)) continue
    if (index > at) pieces.push({ text: text.slice(at, index), href: null })
    pieces.push({ text: href, href })
    at = index + href.length
  }
  if (at < text.length) pieces.push({ text: text.slice(at), href: null })
  return pieces
}
