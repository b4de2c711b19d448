/**
 * The output of a response, made of the pieces of a chat's answer: its items come one at a time. A piece of another item than the
 * open one waits until the open one is whole.
 */
import * as Result from "effect/Result"
import { type ChatPiece, headOfCall } from "../../chat/AnswerPieces.ts"
import { type StreamedCall, StreamedCalls } from "../../chat/StreamedCalls.ts"
import { idsOfInput, NewCallIds } from "../NewCallIds.ts"
import { type AnswerContext, type Json, Unreadable } from "../Translation.ts"
import { toolsByChatName } from "./NamedTools.ts"
import {
  addedEvent,
  doneEvents,
  grow,
  type ItemMaking,
  type ItemStatus,
  isWhole,
  itemJson,
  newItem,
  type OutputItem
} from "./ResponsesOutputItem.ts"

type Events = Result.Result<ReadonlyArray<Json>, Unreadable>

export interface ResponsesOutput {
  /** Adds a piece. Events have no sequence number yet. */
  readonly take: (piece: ChatPiece) => Events
  /** Ends all items; the last one has the status. */
  readonly finish: (last: ItemStatus) => Events
  /** The items that are done so far: later ones do not appear in the same list. */
  readonly items: () => ReadonlyArray<Json>
}

/** An item that has not begun: what has come of it. */
interface Waiting {
  readonly key: string
  readonly pieces: Array<ChatPiece>
}

export const responsesOutput = ({ freshId, request }: AnswerContext): ResponsesOutput => {
  const making: ItemMaking = {
    freshId,
    callIds: new NewCallIds(
      () => idsOfInput(request),
      () => freshId("call")
    ),
    tools: toolsByChatName(request)
  }
  const done: Array<Json> = []
  const waiting: Array<Waiting> = []
  const keyOf = pieceKeys()
  const ended = new Set<string>()
  let open: { readonly key: string; readonly item: OutputItem } | null = null

  const close = (status: ItemStatus): ReadonlyArray<Json> => {
    if (open === null) return []
    const { item, key } = open
    open = null
    if (item.kind === "call") ended.add(key)
    const events = doneEvents(item, status)
    done.push(itemJson(item, status))
    return events
  }

  const begin = ({ key, pieces }: Waiting): ReadonlyArray<Json> => {
    const item = newItem(headOf(pieces), done.length, making)
    open = { key, item }
    return [addedEvent(item), ...pieces.flatMap((piece) => grow(item, piece))]
  }

  /** Begins what waits, as far as the open item is whole. `atEnd`: nothing more comes. */
  const advance = (atEnd: boolean): ReadonlyArray<Json> => {
    const events: Array<Json> = []
    while (waiting.length > 0 && canBegin(waiting[0]!) && (open === null || atEnd || isWhole(open.item))) {
      events.push(...close("completed"), ...begin(waiting.shift()!))
    }
    return events
  }

  const take = (piece: ChatPiece): Events => {
    const key = keyOf(piece)
    if (ended.has(key)) return lateArguments(piece)
    if (open?.key === key) return Result.succeed([...grow(open.item, piece), ...advance(false)])
    const queued = waiting.find((one) => one.key === key)
    if (queued === undefined) waiting.push({ key, pieces: [piece] })
    else queued.pieces.push(piece)
    return Result.succeed(advance(false))
  }

  const finish = (last: ItemStatus): Events => {
    const events = [...advance(true), ...close(last)]
    return waiting.length === 0
      ? Result.succeed(events)
      : Result.fail(new Unreadable({ detail: "a tool call has no name" }))
  }

  return { take, finish, items: () => [...done] }
}

/** Blanks may follow the arguments of a call; anything else would be lost. */
const lateArguments = ({ text }: ChatPiece): Events =>
  text.trim() === ""
    ? Result.succeed([])
    : Result.fail(new Unreadable({ detail: "a tool call goes on after its arguments are whole" }))

/** A call is announced with its name, so it waits for it. */
const canBegin = ({ pieces }: Waiting): boolean => {
  const head = headOf(pieces)
  return head.kind !== "call" || head.name !== ""
}

/** What the item begins with: of a call its first name and its first id. */
const headOf = (pieces: ReadonlyArray<ChatPiece>): ChatPiece => {
  const head = pieces[0]!
  if (head.kind !== "call") return head
  const calls = pieces.filter((piece) => piece.kind === "call")
  const first = (field: "id" | "name") => calls.map((call) => call[field]).find((text) => text !== "") ?? ""
  return { ...head, id: first("id"), name: first("name") }
}

interface CountedCall extends StreamedCall {
  readonly key: string
}

/** Which item a piece belongs to. */
const pieceKeys = (): ((piece: ChatPiece) => string) => {
  let count = 0
  const calls = new StreamedCalls((): CountedCall => ({ id: null, name: null, key: `call ${count++}` }))
  return (piece) =>
    piece.kind === "call" ? calls.of(headOfCall(piece)).key : piece.kind === "reasoning" ? piece.kind : "message"
}
