/** The order in which a list of conversations was first shown: what changes above it waits, and nothing under the pointer moves. Pure. */
import type { Conversation } from "@trunkline/client"

export interface HeldOrder {
  /** Ids of each page that was read. */
  readonly pages: ReadonlyMap<number, ReadonlyArray<string>>
  readonly total: number
  /** The latest message of all when the list was first shown; empty where there was none. */
  readonly newestAt: string
}

type Row = Pick<Conversation, "id" | "last_message_at">

/** The order with a page that has been read; one that is known stays as it was. */
export const holding = (
  held: HeldOrder | null,
  nth: number,
  items: ReadonlyArray<Row>,
  total: number
): HeldOrder | null => {
  if (held?.pages.has(nth) === true) return held
  if (held === null && nth !== 0) return null
  return {
    pages: new Map([...(held?.pages ?? []), [nth, items.map(({ id }) => id)]]),
    total: held?.total ?? total,
    newestAt: held?.newestAt ?? items[0]?.last_message_at ?? ""
  }
}

/** Conversations in which something has been written since, but for the one that is open. */
export const newSince = (held: HeldOrder, head: ReadonlyArray<Row>, openId: string | undefined): number =>
  head.filter(({ id, last_message_at }) => last_message_at > held.newestAt && id !== openId).length
