/** What was used over time: a picture, and the same as a table. */
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import type { UsageInterval } from "@trunkline/client"
import { useMemo } from "react"
import { faultOfRead } from "../frame/FaultSentences.ts"
import { exactMoment, locale, number, say, wordOf } from "../frame/Say.ts"
import { api, isStatus } from "../frame/ServerRequests.ts"
import { useMay } from "../frame/SignedInPerson.ts"
import { credits } from "../parts/CreditAmount.ts"
import { Downloaded } from "../parts/Download.tsx"
import { Empty } from "../parts/Empty.tsx"
import { FaultAlert } from "../parts/FaultAlert.tsx"
import { FilterSelect } from "../parts/FormFields.tsx"
import { Icon } from "../parts/Icons.tsx"
import { type Column, Rows } from "../parts/RowsTable.tsx"
import { zoneOptions } from "../parts/TimeZones.ts"
import { UsageChart } from "./UsageChart.tsx"
import { askedOf, type Group, groups, intervals, readSeries, type Series, spans } from "./UsageReads.ts"
import { type Interval, type Picture, pictureOf } from "./UsageSums.ts"

const formats: Readonly<Record<Interval, Intl.DateTimeFormatOptions>> = {
  // An hour that the clock shows twice is two rows: the name of the zone distinguishes them.
  hour: { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZoneName: "short" },
  day: { weekday: "short", day: "numeric", month: "short" },
  month: { month: "long", year: "numeric" }
}

const labeller = (interval: Interval, timeZone: string) => {
  const format = new Intl.DateTimeFormat(locale, { ...formats[interval], timeZone })
  return (start: string): string => format.format(new Date(start))
}

/** Names of keys, for those who may see them. */
const useKeyNames = (isAsked: boolean): ReadonlyMap<string, string> => {
  const may = useMay("keys:manage")
  const { data } = useQuery({
    queryKey: ["keys", "names"],
    queryFn: ({ signal }) => api.keys.list({ limit: 500 }, { signal }).then(({ items }) => items),
    enabled: isAsked && may,
    meta: { topics: ["keys"] }
  })
  return useMemo(() => new Map((data ?? []).map(({ id, name, prefix }) => [id, name ?? prefix])), [data])
}

const groupName = (by: Group | null, group: string | null, keys: ReadonlyMap<string, string>): string => {
  if (by === "service" && group !== null) return wordOf("service", group)
  if (by === "key") return group === null ? say("usage.no-key") : (keys.get(group) ?? group)
  return group ?? ""
}

const columnsOf = (
  by: Group | null,
  label: (start: string) => string,
  name: (group: string | null) => string
): ReadonlyArray<Column<UsageInterval>> => [
  {
    title: say("usage.time"),
    width: "minmax(5.5rem, 1fr)",
    cell: ({ start }) => <span title={exactMoment(start)}>{label(start)}</span>
  },
  ...(by === null
    ? []
    : [
        {
          title: wordOf("usage-group", by),
          width: "minmax(0, 1.5fr)",
          cell: ({ group }: UsageInterval) => <span title={name(group)}>{name(group)}</span>
        }
      ]),
  { title: say("usage.calls"), width: "5rem", isNumber: true, room: 1, cell: ({ calls }) => number(calls) },
  {
    title: say("usage.input"),
    width: "6.5rem",
    isNumber: true,
    room: 2,
    cell: ({ input_tokens }) => number(input_tokens)
  },
  {
    title: say("usage.output"),
    width: "6.5rem",
    isNumber: true,
    room: 2,
    cell: ({ output_tokens }) => number(output_tokens)
  },
  {
    title: say("usage.audio"),
    width: "7.5rem",
    isNumber: true,
    room: 2,
    cell: ({ audio_seconds }) => number(audio_seconds)
  },
  { title: say("usage.credits"), width: "5.5rem", isNumber: true, cell: (one) => credits(one.credits) }
]

const sum = (rows: ReadonlyArray<UsageInterval>, of: (one: UsageInterval) => number): number =>
  rows.reduce((total, one) => total + of(one), 0)

const Totals = ({ whole }: { readonly whole: ReadonlyArray<UsageInterval> | undefined }) => {
  const figures = [
    [say("usage.spent"), credits, (one: UsageInterval) => Number(one.credits)],
    [say("usage.calls"), number, ({ calls }: UsageInterval) => calls],
    [say("usage.input"), number, ({ input_tokens }: UsageInterval) => input_tokens],
    [say("usage.output"), number, ({ output_tokens }: UsageInterval) => output_tokens],
    [say("usage.audio"), number, ({ audio_seconds }: UsageInterval) => audio_seconds]
  ] as const
  return (
    <dl className="grid grid-cols-2 gap-px bg-line sm:grid-cols-3 lg:grid-cols-5">
      {figures.map(([title, written, of]) => (
        <div key={title} className="grid content-start gap-0.5 bg-raised px-4 py-3 max-sm:first:col-span-2">
          <dt className="text-sm text-soft">{title}</dt>
          <dd className="text-xl font-semibold tabular-nums">{whole === undefined ? "…" : written(sum(whole, of))}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Intervals with usage, the newest first: the picture shows that there was none in the others. */
const rowsOf = ({ divided, whole }: Series): ReadonlyArray<UsageInterval> =>
  (divided ?? whole).filter(({ calls }) => calls > 0).toReversed()

const Filters = ({ data }: { readonly data: Series | undefined }) => {
  const search = useSearch({ from: "/usage" })
  const navigate = useNavigate()
  const asked = askedOf(search)
  const choose = (change: object): void =>
    void navigate({ to: "/usage", search: { ...search, ...change }, replace: true })
  const first = data?.whole[0]?.start
  return (
    <div className="flex flex-wrap items-end gap-3">
      <FilterSelect
        isStacked
        label={say("usage.group-by")}
        value={asked.by ?? ""}
        onChange={(by) => choose({ by })}
        options={[
          { value: "", text: say("usage.no-group") },
          ...groups.map((value) => ({ value, text: wordOf("usage-group", value) }))
        ]}
      />
      <FilterSelect
        isStacked
        label={say("usage.interval")}
        value={asked.interval}
        onChange={(interval) => choose({ interval })}
        options={intervals.map((value) => ({ value, text: wordOf("usage-interval", value) }))}
      />
      <FilterSelect
        isStacked
        label={say("usage.span")}
        value={asked.days}
        onChange={(days) => choose({ days })}
        options={spans
          .filter((value) => value !== "90" || asked.interval !== "hour")
          .map((value) => ({ value, text: wordOf("usage-span", value) }))}
      />
      <FilterSelect
        isStacked
        label={say("usage.timezone")}
        value={asked.timezone}
        onChange={(timezone) => choose({ timezone })}
        options={zoneOptions(asked.timezone)}
      />
      <Downloaded
        path={`v1/usage/logs.csv${first === undefined ? "" : `?from=${encodeURIComponent(first)}`}`}
        name="usage-logs.csv"
        className="button is-quiet sm:ms-auto"
      >
        <Icon name="download" className="size-4 flex-none" />
        {say("usage.download")}
      </Downloaded>
    </div>
  )
}

const Shown = ({ data }: { readonly data: Series }) => {
  const { by, interval, timezone } = data.asked
  const keys = useKeyNames(by === "key")
  const picture: Picture = useMemo(() => pictureOf(data.whole, data.divided), [data])
  const label = useMemo(() => labeller(interval, timezone), [interval, timezone])
  const name = (group: string | null) => groupName(by, group, keys)
  const names =
    by === null ? [] : picture.groups.map(({ group, isRest }) => (isRest ? say("usage.others") : name(group)))
  return <UsageChart label={say("usage.picture")} picture={picture} names={names} labelOf={label} />
}

const SeriesTable = ({ data }: { readonly data: Series }) => {
  const { by, interval, timezone } = data.asked
  const keys = useKeyNames(by === "key")
  const columns = useMemo(
    () => columnsOf(by, labeller(interval, timezone), (group) => groupName(by, group, keys)),
    [by, interval, timezone, keys]
  )
  const rows = useMemo(() => rowsOf(data), [data])
  return (
    <Rows
      label={say("usage.heading")}
      columns={columns}
      idOf={({ group, start }) => `${start} ${group}`}
      listKey={["usage-rows", data.asked, data.readAt]}
      topics={[]}
      pageSize={500}
      read={({ limit, offset }) =>
        Promise.resolve({
          items: rows.slice(offset, offset + limit),
          total: rows.length,
          hasMore: offset + limit < rows.length
        })
      }
      empty={<Empty icon="usage" title={say("usage.empty")} sentence={say("usage.empty-lead")} />}
    />
  )
}

export const SeriesSection = () => {
  const asked = askedOf(useSearch({ from: "/usage" }))
  const { data, error, refetch } = useQuery({
    queryKey: ["usage", asked],
    queryFn: ({ signal }) => readSeries(asked, signal),
    placeholderData: keepPreviousData,
    meta: { topics: ["account"] }
  })
  const isFailed = error !== null && !isStatus(error, 401)
  return (
    <div className="grid grid-cols-1 gap-4">
      <Filters data={data} />
      {isFailed ? <FaultAlert fault={{ sentence: faultOfRead(error), again: () => void refetch() }} /> : null}
      <div className="panel overflow-hidden">
        <Totals whole={data?.whole} />
        <div className="border-t border-line p-4">
          {data === undefined ? <span className="skeleton h-[14.5rem] rounded-lg" /> : <Shown data={data} />}
        </div>
      </div>
      {data === undefined ? null : <SeriesTable data={data} />}
    </div>
  )
}
