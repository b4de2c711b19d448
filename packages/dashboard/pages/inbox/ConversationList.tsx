/** The conversations, the one with the latest message first. */
import { keepPreviousData, useQueries } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useVirtualizer } from "@tanstack/react-virtual"
import type { Conversation } from "@trunkline/client"
import { type KeyboardEvent, memo, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react"
import { faultOfRead } from "../frame/FaultSentences.ts"
import { exactMoment, number, say, sayCount, shortTime } from "../frame/Say.ts"
import { api, isStatus } from "../frame/ServerRequests.ts"
import { useMe } from "../frame/SignedInPerson.ts"
import { Button } from "../parts/Button.tsx"
import { FaultAlert } from "../parts/FaultAlert.tsx"
import { Icon } from "../parts/Icons.tsx"
import { useNow } from "../parts/PageClock.ts"
import { type HeldOrder, holding, newSince } from "./HeldOrder.ts"
import { customerName, useLines } from "./InboxReads.ts"
import { windowLeft } from "./WindowLeft.ts"

export type Shown = "needs_person" | "unread" | "me" | "none"

export interface InboxFilter {
  readonly q?: string
  readonly show?: Shown
}

/** As the API asks for them. A customer's older conversations are in no list: the open one has begun after them. */
const queryOf = ({ q, show }: InboxFilter) => ({
  status: "open" as const,
  ...(q === undefined ? {} : { q }),
  ...(show === "needs_person" ? { needs_person: true } : {}),
  ...(show === "unread" ? { unread: true } : {}),
  ...(show === "me" || show === "none" ? { assigned_to: show } : {})
})

const pageSize = 50
const rowRems = 5
const settleMs = 60

const rowHeight = (): number => rowRems * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

/** `[image]` where there are no words. */
const previewOf = ({ last_message: last }: Conversation): string => {
  if (last === null) return ""
  const text = last.text === null || last.text.trim() === "" ? `[${last.type.replaceAll("_", " ")}]` : last.text
  return last.direction === "inbound" ? text : say("inbox.ours", { text })
}

interface RowGiven {
  readonly conversation: Conversation | undefined
  readonly isOpen: boolean
  readonly isOwn: boolean
  readonly isSoonOver: boolean
  readonly nth: number
  readonly of: number
  readonly top: number
  readonly filter: InboxFilter
  readonly today: string
}

const Row = memo(({ conversation, filter, isOpen, isOwn, isSoonOver, nth, of, today, top }: RowGiven) => (
  <li
    aria-setsize={of}
    aria-posinset={nth + 1}
    className="absolute inset-x-0 top-0 h-20 border-b border-line"
    style={{ transform: `translateY(${top}px)` }}
  >
    {conversation === undefined ? (
      <span aria-hidden="true" className="grid gap-2.5 px-4 py-3.5">
        <span className="skeleton h-3 w-1/2" />
        <span className="skeleton h-3 w-4/5" />
      </span>
    ) : (
      <Link
        to="/inbox/{-$id}"
        params={{ id: conversation.id }}
        search={filter}
        data-conversation={conversation.id}
        aria-current={isOpen ? "page" : undefined}
        className={`chat-row ${conversation.unread_count > 0 ? "is-unread" : ""}`}
      >
        <span className="flex items-baseline gap-2">
          <span dir="auto" className="chat-name min-w-0 flex-1 truncate">
            {customerName(conversation)}
          </span>
          <time
            dateTime={conversation.last_message_at}
            title={exactMoment(conversation.last_message_at)}
            className="flex-none text-xs text-soft tabular-nums"
          >
            {shortTime(conversation.last_message_at, today)}
          </time>
        </span>
        <span dir="auto" className="chat-text truncate">
          {previewOf(conversation)}
        </span>
        <span className="flex min-w-0 items-center gap-2 text-xs">
          {conversation.unread_count > 0 ? (
            <span className="chat-count">
              {number(conversation.unread_count)} <span className="sr-only">{say("inbox.unread")}</span>
            </span>
          ) : null}
          {conversation.needs_person ? (
            <span className="badge is-warn">
              <Icon name="people" className="" />
              {say("inbox.needs_person")}
            </span>
          ) : null}
          {isSoonOver ? (
            <span className="badge is-bad">
              <Icon name="clock" className="" />
              {say("inbox.soon-over")}
            </span>
          ) : null}
          {conversation.assigned_to === null ? null : (
            <span className="ms-auto min-w-0 truncate text-soft">
              {isOwn ? say("members.you") : (conversation.assigned_to.name ?? conversation.assigned_to.subject)}
            </span>
          )}
        </span>
      </Link>
    )}
  </li>
))

interface Given {
  readonly filter: InboxFilter
  readonly openId: string | undefined
  readonly empty: ReactNode
  /** The filter, beside which stands how many there are. */
  readonly tools: ReactNode
}

/** The next link of the list in this direction takes the focus. */
const walk = (event: KeyboardEvent<HTMLElement>): void => {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
  if (step === 0 || !(event.target instanceof HTMLAnchorElement)) return
  const links = [...event.currentTarget.querySelectorAll("a")].toSorted(
    (a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top
  )
  const next = links[links.indexOf(event.target) + step]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

export const ConversationList = ({ empty, filter, openId, tools }: Given) => {
  const me = useMe()
  const now = useNow(30_000)
  const lines = useLines()
  const key = JSON.stringify(filter)
  const [wanted, setWanted] = useState<ReadonlyArray<number>>([0])
  const [held, setHeld] = useState<{ readonly key: string; readonly order: HeldOrder } | null>(null)
  const queries = useQueries({
    queries: wanted.map((page) => ({
      queryKey: ["conversations", filter, page],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        api.conversations
          .list({ ...queryOf(filter), limit: pageSize, offset: page * pageSize }, { signal })
          .then((found) => found),
      // People wait for what is new here.
      meta: { topics: ["conversations"], urgent: page === 0 },
      ...(page === 0 ? { placeholderData: keepPreviousData } : {}),
      gcTime: 60_000
    }))
  })
  const head = queries[wanted.indexOf(0)]
  /** Rows as they were read last, also those that have left their page since. */
  const known = useRef(new Map<string, Conversation>())
  for (const { data } of queries) for (const one of data?.items ?? []) known.current.set(one.id, one)

  const present = held?.key === key ? held.order : null
  const reads = queries.map(({ data, isPlaceholderData }) => (isPlaceholderData ? undefined : data))
  useLayoutEffect(() => {
    let next = present
    // Where there was nothing, whatever comes is shown.
    if (next?.total === 0 && (reads[wanted.indexOf(0)]?.total ?? 0) > 0) next = null
    for (const [at, nth] of wanted.entries()) {
      const data = reads[at]
      if (data !== undefined) next = holding(next, nth, data.items, data.total ?? data.items.length)
    }
    if (next !== null && next !== present) setHeld({ key, order: next })
  }, [key, present, reads, wanted])

  const order = present ?? held?.order ?? null
  const count = order?.total ?? 0
  const box = useRef<HTMLDivElement>(null)
  const [height] = useState(rowHeight)
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: 8
  })
  const rows = virtualizer.getVirtualItems()
  const pages = [
    ...new Set([0, ...[rows.at(0), rows.at(-1)].map((row) => Math.floor((row?.index ?? 0) / pageSize))])
  ].join()
  useEffect(() => {
    const timer = setTimeout(() => setWanted(pages.split(",").map(Number)), settleMs)
    return () => clearTimeout(timer)
  }, [pages])

  const failed = queries.find(({ data, error }) => error !== null && data === undefined && !isStatus(error, 401))
  const fresh = present === null || head?.data === undefined ? 0 : newSince(present, head.data.items, openId)
  const today = new Date(now).toDateString()
  const loaded = order === null ? 0 : [...order.pages.values()].reduce((sum, ids) => sum + ids.length, 0)
  const showNew = (): void => {
    setHeld(null)
    box.current?.scrollTo({ top: 0 })
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-3 pb-3">
        {tools}
        {fresh > 0 ? (
          <Button isSmall onPress={showNew}>
            {sayCount("list.new", fresh)}
          </Button>
        ) : null}
        {order === null ? null : (
          <span className="ms-auto text-xs text-soft tabular-nums">
            {say("list.count", { n: Math.min(loaded, count), m: count })}
          </span>
        )}
      </div>
      {failed === undefined ? null : (
        <div className="p-3">
          <FaultAlert fault={{ sentence: faultOfRead(failed.error), again: () => void failed.refetch() }} />
        </div>
      )}
      {order?.total === 0 ? (
        empty
      ) : (
        <div ref={box} className="min-h-0 flex-1 overflow-y-auto">
          <ul
            aria-label={say("inbox.list")}
            aria-busy={order === null}
            className="relative"
            style={{ height: order === null ? 4 * height : virtualizer.getTotalSize() }}
            onKeyDown={walk}
          >
            {order === null
              ? [0, 1, 2, 3].map((nth) => (
                  <Row
                    key={nth}
                    {...{ nth, filter, today, of: -1, top: nth * height }}
                    conversation={undefined}
                    isOpen={false}
                    isOwn={false}
                    isSoonOver={false}
                  />
                ))
              : rows.map(({ index, start }) => {
                  const id = order.pages.get(Math.floor(index / pageSize))?.[index % pageSize]
                  const conversation = id === undefined ? undefined : known.current.get(id)
                  const left =
                    conversation === undefined
                      ? null
                      : windowLeft(conversation.window_expires_at, lines.hasWindow(conversation), now)
                  return (
                    <Row
                      key={id ?? index}
                      {...{ conversation, filter, today }}
                      nth={index}
                      of={count}
                      top={start}
                      isOpen={id !== undefined && id === openId}
                      isOwn={conversation?.assigned_to?.subject === me.subject}
                      isSoonOver={left?.kind === "open" && left.isSoonOver && conversation?.unread_count !== 0}
                    />
                  )
                })}
          </ul>
        </div>
      )}
    </div>
  )
}
