/** All calls, newest first. */
import { Link, useNavigate } from "@tanstack/react-router"
import type { Call } from "@trunkline/client"
import { useMemo, useState } from "react"
import { duration, exactMoment, moment, number, say } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { useMay } from "../frame/SignedInPerson.ts"
import { Badge } from "../parts/Badge.tsx"
import { Button } from "../parts/Button.tsx"
import { Downloaded } from "../parts/Download.tsx"
import { Empty } from "../parts/Empty.tsx"
import { Heading } from "../parts/Heading.tsx"
import { Icon } from "../parts/Icons.tsx"
import { useCampaignNames } from "../parts/RecordChoices.ts"
import { type Column, Rows } from "../parts/RowsTable.tsx"
import { nothing } from "../parts/Who.tsx"
import { CallFilters, callQuery, useFilters } from "./CallFilters.tsx"
import { isOver } from "./CallState.ts"
import { TestCallDialog } from "./TestCallDialog.tsx"

const columnsOf = (campaigns: ReadonlyMap<string, string>): ReadonlyArray<Column<Call>> => [
  {
    title: say("calls.to"),
    width: "minmax(0, 1.5fr)",
    cell: ({ created_at, id, to }) => (
      <span className="grid leading-5">
        <Link
          to="/calls/$id"
          params={{ id }}
          className="block truncate font-semibold after:absolute after:inset-0"
          title={to}
        >
          {to}
        </Link>
        <span className="text-xs text-soft md:hidden">{moment(created_at)}</span>
      </span>
    )
  },
  { title: say("calls.status"), width: "8.5rem", cell: ({ status }) => <Badge kind="call" status={status} /> },
  {
    title: say("calls.outcome"),
    width: "minmax(0, 1fr)",
    room: 1,
    cell: ({ outcome }) =>
      outcome === null ? nothing : <span title={outcome.note ?? undefined}>{outcome.outcome}</span>
  },
  {
    title: say("calls.campaign"),
    width: "minmax(0, 1fr)",
    room: 2,
    cell: ({ campaign_id }) =>
      campaign_id === null ? (
        <span className="text-soft">{say("call-page.single")}</span>
      ) : (
        (campaigns.get(campaign_id) ?? nothing)
      )
  },
  {
    title: say("calls.duration"),
    width: "4.5rem",
    isNumber: true,
    room: 1,
    cell: (call) =>
      call.answered_at === null || !isOver(call) ? nothing : duration((call.duration_seconds ?? 0) * 1000)
  },
  {
    title: say("calls.credits"),
    width: "4.5rem",
    isNumber: true,
    room: 2,
    cell: ({ credits }) => number(Number(credits))
  },
  {
    title: say("calls.when"),
    width: "11rem",
    room: 1,
    cell: ({ created_at }) => <span title={exactMoment(created_at)}>{moment(created_at)}</span>
  }
]

/** The file has what the list has. */
const fileOf = (query: object): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(given).toString()
  return `api/v1/telephony/calls.csv${text === "" ? "" : `?${text}`}`
}

export const CallsPage = () => {
  const { clear, filter, search } = useFilters()
  const navigate = useNavigate()
  const mayCall = useMay("calls:write")
  const [isTesting, setTesting] = useState(false)
  const { data: campaigns } = useCampaignNames()
  const columns = useMemo(() => columnsOf(new Map(campaigns?.map(({ id, name }) => [id, name]))), [campaigns])
  const query = callQuery(search)
  const isFiltered = Object.keys(search).length > 0
  const testCall = mayCall ? (
    <Button look="primary" writes onPress={() => setTesting(true)}>
      <Icon name="phone" className="size-4 flex-none" />
      {say("calls.test")}
    </Button>
  ) : null
  return (
    <>
      <Heading
        title={say("calls.heading")}
        actions={
          <>
            <Downloaded path={fileOf(query)} name="calls.csv" className="button is-quiet">
              <Icon name="download" className="size-4 flex-none" />
              {say("calls.download")}
            </Downloaded>
            {testCall}
          </>
        }
      />
      <Rows
        label={say("calls.heading")}
        columns={columns}
        idOf={({ id }) => id}
        listKey={["calls", search]}
        topics={["calls"]}
        pageSize={50}
        isNewestFirst
        read={(page, signal) => api.calls.list({ ...query, ...page }, { signal }).then((found) => found)}
        tools={<CallFilters filter={filter} search={search} />}
        empty={
          isFiltered ? (
            <Empty icon="search" title={say("list.nothing-found")} sentence={say("calls.nothing-found")}>
              <button type="button" className="button" onClick={clear}>
                {say("list.clear")}
              </button>
            </Empty>
          ) : (
            <Empty icon="calls" title={say("calls.empty")} sentence={say("calls.empty-lead")} />
          )
        }
      />
      {isTesting ? (
        <TestCallDialog
          onClose={() => setTesting(false)}
          onPlaced={(id) => void navigate({ to: "/calls/$id", params: { id } })}
        />
      ) : null}
    </>
  )
}
