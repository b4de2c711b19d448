/**
 * A list of any length as a table: rows are read in pages as they come into view, and only those in view are in the document. What is
 * being read does not move: rows that have come since wait behind a button.
 */
import { keepPreviousData, useQueries } from "@tanstack/react-query"
import { useWindowVirtualizer } from "@tanstack/react-virtual"
import type { Page } from "@trunkline/client"
import { memo, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react"
import { faultOfRead } from "../frame/FaultSentences.ts"
import { number, say, sayCount } from "../frame/Say.ts"
import { isStatus } from "../frame/ServerRequests.ts"
import { Button } from "./Button.tsx"
import { useRoom } from "./Narrow.ts"

export interface Column<Row> {
  readonly title: string
  /** What is in the column says it by itself: its title is for readers of screens. */
  readonly isTitleHidden?: boolean
  /** A track of the grid: `minmax(0, 2fr)`. */
  readonly width: string
  readonly isNumber?: boolean
  /** Left out where the page has less room: 1 on a phone, 2 on a screen that is not wide. */
  readonly room?: 1 | 2
  readonly cell: (row: Row) => ReactNode
}

interface Given<Row> {
  readonly label: string
  readonly columns: ReadonlyArray<Column<Row>>
  readonly idOf: (row: Row) => string
  /** The key of the list with its filters: another key is another list. */
  readonly listKey: ReadonlyArray<unknown>
  readonly topics: ReadonlyArray<string>
  readonly pageSize: number
  readonly read: (query: { readonly limit: number; readonly offset: number }, signal: AbortSignal) => Promise<Page<Row>>
  /** New rows come at the top. */
  readonly isNewestFirst?: boolean
  readonly empty: ReactNode
  /** Filters and the like, at the top of the list. */
  readonly tools?: ReactNode
}

const rowHeight = (): number => 2.75 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

/** Pages that a quick scroll passes are not asked for. */
const settleMs = 60
const emptyRows = 6

/** How many rows have come above the row that was the first. */
const newAbove = <Row,>(
  head: ReadonlyArray<Row>,
  idOf: (row: Row) => string,
  anchor: { readonly id: string; readonly total: number },
  total: number
): number => {
  const at = head.findIndex((row) => idOf(row) === anchor.id)
  return at >= 0 ? at : Math.max(0, total - anchor.total)
}

export const Rows = <Row,>(given: Given<Row>) => {
  const { columns, idOf, listKey, pageSize } = given
  const [wanted, setWanted] = useState<ReadonlyArray<number>>([0])
  const queries = useQueries({
    queries: wanted.map((page) => ({
      queryKey: [...listKey, page],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        given.read({ limit: pageSize, offset: page * pageSize }, signal),
      meta: { topics: given.topics },
      // Under other filters the list stays until the new one is there; rows of another page are never shown in its place.
      ...(page === 0 ? { placeholderData: keepPreviousData } : {}),
      gcTime: 60_000
    }))
  })
  const key = JSON.stringify(listKey)
  const head = queries[wanted.indexOf(0)]
  const total = queries.find(({ data }) => data !== undefined)?.data?.total ?? null
  const [anchor, setAnchor] = useState<{ key: string; id: string; total: number } | null>(null)
  const first = head?.isPlaceholderData === false ? head.data?.items[0] : undefined
  const held = anchor !== null && anchor.key === key ? anchor : null
  // What is known from before is not what has come since the list was opened.
  const isRead = head?.isFetching === false
  useEffect(() => {
    if (held === null && isRead && first !== undefined)
      setAnchor({ key, id: idOf(first), total: head?.data?.total ?? 0 })
  }, [held, isRead, first, key, idOf, head])
  const skip =
    given.isNewestFirst === true && held !== null && head?.data !== undefined
      ? newAbove(head.data.items, idOf, held, head.data.total ?? 0)
      : 0
  const count = total === null ? 0 : Math.max(0, total - skip)

  const box = useRef<HTMLDivElement>(null)
  const [margin, setMargin] = useState(0)
  useLayoutEffect(() => {
    const measure = () => setMargin(Math.round((box.current?.getBoundingClientRect().top ?? 0) + window.scrollY))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])
  const [height] = useState(rowHeight)
  const virtualizer = useWindowVirtualizer({ count, estimateSize: () => height, overscan: 12, scrollMargin: margin })
  const shown = virtualizer.getVirtualItems()
  const [from, to] = [shown.at(0)?.index ?? 0, shown.at(-1)?.index ?? 0]
  const pages = [...new Set([0, Math.floor((from + skip) / pageSize), Math.floor((to + skip) / pageSize)])].join()
  useEffect(() => {
    const timer = setTimeout(() => setWanted(pages.split(",").map(Number)), settleMs)
    return () => clearTimeout(timer)
  }, [pages])

  const rowAt = (index: number): Row | undefined => {
    const at = index + skip
    const page = Math.floor(at / pageSize)
    return queries[wanted.indexOf(page)]?.data?.items[at - page * pageSize]
  }

  const present = useRoom()
  const visible = useMemo(() => columns.filter(({ room = 0 }) => room <= present), [columns, present])
  const tracks = visible.map(({ width }) => width).join(" ")
  const failed = queries.find(({ data, error }) => error !== null && data === undefined && !isStatus(error, 401))
  // While it is tried again, what went wrong stays.
  const [lastError, setLastError] = useState<Error | null>(null)
  if (failed !== undefined && failed.error !== lastError) setLastError(failed.error)
  const isRetried = queries.some(({ data, errorUpdateCount }) => data === undefined && errorUpdateCount > 0)
  const shownError = failed?.error ?? (isRetried ? lastError : null)
  const waits = queries.find(({ failureReason, isFetching }) => isFetching && isStatus(failureReason, 429))
  const loaded = queries.reduce((sum, { data }) => sum + (data?.items.length ?? 0), 0)
  const isLoading = total === null && shownError === null

  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="flex min-h-[2.125rem] flex-wrap items-center gap-x-4 gap-y-2">
        {given.tools}
        {/* As high with a button as without: the rows below stay where they are. */}
        <span className="ms-auto flex min-h-[2.125rem] items-center gap-3">
          {skip > 0 ? (
            <Button
              isSmall
              onPress={() => {
                setAnchor(null)
                window.scrollTo({ top: 0 })
              }}
            >
              {sayCount("list.new", skip)}
            </Button>
          ) : null}
          {total === null ? null : (
            <span className="text-sm text-soft tabular-nums">
              {say("list.count", { n: Math.min(loaded, count), m: count })}
            </span>
          )}
        </span>
      </div>
      {waits === undefined ? null : (
        <p role="status" className="banner">
          {faultOfRead(waits.failureReason)}
        </p>
      )}
      {shownError === null ? null : (
        <div role="alert" className="banner is-bad">
          <p className="min-w-0 flex-1 basis-60">{faultOfRead(shownError)}</p>
          <Button isSmall onPress={() => queries.forEach(({ refetch }) => void refetch())}>
            {say("action.try-again")}
          </Button>
        </div>
      )}
      {total === null && shownError !== null ? null : total === 0 ? (
        <div className="panel">{given.empty}</div>
      ) : (
        <div
          role="table"
          aria-label={given.label}
          aria-rowcount={isLoading ? -1 : count + 1}
          aria-busy={isLoading}
          className="rows"
        >
          <div role="rowgroup">
            <div role="row" aria-rowindex={1} style={{ gridTemplateColumns: tracks }}>
              {visible.map(({ isNumber, isTitleHidden, title }) => (
                <span role="columnheader" key={title} className={isNumber === true ? "is-number" : ""}>
                  {isTitleHidden === true ? <span className="sr-only">{title}</span> : title}
                </span>
              ))}
            </div>
          </div>
          <div
            role="rowgroup"
            ref={box}
            className="window relative"
            style={{ height: isLoading ? emptyRows * height : virtualizer.getTotalSize() }}
          >
            {isLoading
              ? Array.from({ length: emptyRows }, (_, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: rows that stand for others have nothing else.
                  <Line key={index} top={index * height} row={undefined} columns={visible} tracks={tracks} />
                ))
              : shown.map(({ index, start }) => {
                  const row = rowAt(index)
                  return (
                    <Line
                      key={row === undefined ? index : idOf(row)}
                      index={index}
                      top={start - margin}
                      row={row}
                      columns={visible}
                      tracks={tracks}
                    />
                  )
                })}
          </div>
        </div>
      )}
      {total !== null && count > 2000 ? (
        <p className="text-sm text-soft">{say("list.long", { m: number(count) })}</p>
      ) : null}
    </div>
  )
}

interface LineGiven<Row> {
  readonly index?: number
  readonly top: number
  readonly row: Row | undefined
  readonly columns: ReadonlyArray<Column<Row>>
  readonly tracks: string
}

/** A row is drawn anew when it has changed, and not while others come into view. */
const Line = memo(({ columns, index, row, top, tracks }: LineGiven<unknown>) => (
  <div
    role="row"
    aria-rowindex={index === undefined ? undefined : index + 2}
    style={{ gridTemplateColumns: tracks, transform: `translateY(${top}px)` }}
  >
    {columns.map(({ cell, isNumber, title }, nth) => (
      <span role="cell" key={title} className={isNumber === true ? "is-number" : ""}>
        {row === undefined ? <span className="skeleton h-3" style={{ width: nth === 0 ? "70%" : "45%" }} /> : cell(row)}
      </span>
    ))}
  </div>
)) as <Row>(given: LineGiven<Row>) => ReactNode
