/** What must hold on every random day, after every step. */
import type { Message } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { isOneName, maxWaitMs, people, quietMs } from "./ReplyDay.ts"
import { editOf, hasRead, type Memory, type Run, ranks, referenceOf, writtenAs } from "./ReplyMemory.ts"

export const markOf = ({ text }: Message): string => (text ?? "").split(" ")[0]!

interface Switches {
  readonly isOn: boolean
  readonly takenOver: ReadonlySet<number>
}

/** What must hold at any time; `before` is what was off before the last step. */
export const check = (memory: Memory, before: Switches) =>
  Effect.gen(function* () {
    const rows = yield* memory.world.everything
    checkRows(memory, rows)
    yield* checkInbox(memory)
    const turns = Map.groupBy(
      rows.filter(({ turnId }) => turnId !== null),
      ({ turnId }) => turnId!
    )
    for (const [turnId, parts] of turns) {
      if (!memory.turns.has(turnId)) {
        checkRead(memory, markOf(parts[0]!))
        checkTurn(memory, rows, parts, before)
      }
      memory.turns.add(turnId)
    }
    checkSent(memory, [...turns.values()])
    for (const one of memory.written.values()) one.known = one.stored
  })

const checkRows = ({ statuses }: Memory, rows: ReadonlyArray<Message>): void => {
  const inbound = rows.filter(({ direction }) => direction === "inbound")
  expect(new Set(inbound.map(({ msgid }) => msgid)).size, "a message is stored once").toBe(inbound.length)
  for (const { id, status } of rows) {
    const was = statuses.get(id) ?? status
    if (!(was === "sending" && status === "queued")) {
      expect(ranks[status], `${id} went from ${was} to ${status}`).toBeGreaterThanOrEqual(ranks[was])
    }
    statuses.set(id, status)
  }
}

/** What a conversation says of its messages is what they say themselves. */
const checkInbox = ({ world }: Memory) =>
  Effect.map(world.inbox, ({ conversations, rows }) => {
    for (const { awaits, id, lastMessageId, status, unreadCount } of conversations) {
      const said = rows.filter(({ conversationId }) => conversationId === id)
      const answered = said.findLastIndex(({ direction }) => direction === "outbound")
      expect(lastMessageId, `the newest message of ${id}`).toBe(said.at(-1)?.id ?? null)
      expect(unreadCount, `unread messages of ${id}`).toBe(said.length - 1 - answered)
      if (status === "ended") expect(awaits, `what ${id} awaits, which has ended`).toBe("nobody")
      else expect(awaits === "nobody", `what ${id} awaits`).toBe(said.at(-1)?.direction !== "inbound")
    }
  })

/** A turn that is new: it answers something, knows all of it, and was due. */
const checkTurn = (
  memory: Memory,
  rows: ReadonlyArray<Message>,
  parts: ReadonlyArray<Message>,
  before: Switches
): void => {
  const { runs, seen } = memory
  const first = parts[0]!
  const mark = markOf(first)
  const run = runs.get(mark)!
  const { who } = run
  const of = ({ text }: Message) => writtenAs(memory, text)
  expect(parts.map(({ part }) => part)).toEqual(parts.map((_, nth) => nth))

  const said = saidBy(memory, rows, run)
  const known = said.filter(({ text }) => hasRead(run, text))
  const fresh = known.filter((row) => !of(row)!.isAnswered)
  const answers = fresh.some((row) => of(row)!.isLive)
  expect(answers, `${mark} answers something of ${run.knows.join()}`).toBe(true)

  if (isOneName(who)) {
    expect(before.isOn || memory.isOn, `${mark} while the number is off`).toBe(true)
    expect(before.takenOver.has(who) && memory.takenOver.has(who), `${mark} after a person took over`).toBe(false)
    const [from, to] = [said.indexOf(known[0]!), said.indexOf(known.at(-1)!)]
    expect(known.length, `${mark} has read without a hole`).toBe(to - from + 1)
    const latest = fresh[0]!.createdAt + maxWaitMs
    const isQuiet = run.at >= known.at(-1)!.createdAt + quietMs
    expect(isQuiet || run.at >= latest, `${mark} waited for the message group to be complete`).toBe(true)
    // A message that was stored before the answer, and is not in it, came when the first could wait no longer.
    const over = said.slice(to + 1).filter((row) => rows.indexOf(row) < rows.indexOf(first))
    expect(over.length === 0 || first.createdAt >= latest, `${mark} passes over ${over[0]?.text}`).toBe(true)
  }
  for (const row of fresh) of(row)!.isAnswered = true
  // An answer ends a series of failures in its own conversation only, and says nothing of failures that came after it.
  memory.failedRuns = memory.failedRuns.filter(
    (failed) => failed.at >= first.createdAt || !failed.knows.some((text) => hasRead(run, text))
  )
  seen.turns += 1
  if (parts.length > 1) seen.inParts += 1
}

/** What a run must have read, or has: who wrote it may have deleted it, or been answered by a person. */
const saidBy = (memory: Memory, rows: ReadonlyArray<Message>, run: Run): ReadonlyArray<Message> =>
  rows.filter((row) => {
    const one = row.direction === "inbound" ? writtenAs(memory, row.text) : undefined
    if (one?.who !== run.who) return false
    return hasRead(run, row.text) || (row.deletedAt === null && !one.mayBeAnswered)
  })

/** What was surely edited or deleted before a reply was committed, its run has read so, or not at all. */
const checkRead = (memory: Memory, mark: string): void => {
  for (const text of memory.runs.get(mark)!.knows) {
    const one = writtenAs(memory, text)
    if (one === undefined || one.isAnswered) continue
    const { known } = one
    expect(known.isDeleted, `${mark} has read ${text}, which was deleted`).toBe(false)
    if (one.mayHaveNoReply) continue
    expect(editOf(text), `${mark} has read ${text}, which was edited`).toBeGreaterThanOrEqual(known.edit)
  }
}

/** Whatever the platform has was sent once, each part after those in front of it. */
const checkSent = ({ followers, refused, runs, world }: Memory, turns: ReadonlyArray<ReadonlyArray<Message>>): void => {
  const order = world.platform.accepted.map(referenceOf)
  expect(new Set(order).size, "no part is sent twice").toBe(order.length)
  const inOrder = (rows: ReadonlyArray<Message>, what: string): void => {
    const ids = rows.map(({ id }): string => id)
    const sent = order.filter((id) => ids.includes(id))
    expect(sent, what).toEqual(ids.filter((id) => sent.includes(id)))
  }
  for (const parts of turns) inOrder(parts, "parts go out in their order")
  expect(
    order.filter((id) => refused.has(id)),
    "what was refused is not sent again"
  ).toEqual([])
  expect(followers, "nothing follows a refusal").toEqual([])
  for (const who of people.keys()) {
    if (!isOneName(who)) continue
    const own = turns.flat().filter((row) => runs.get(markOf(row))?.who === who)
    inOrder(own, "answers go out in their order")
  }
}
