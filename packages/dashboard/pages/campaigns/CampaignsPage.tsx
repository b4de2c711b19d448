/** All campaigns, newest first. */
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import type { Campaign } from "@trunkline/client"
import { exactMoment, moment, number, say, wordOf } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { useMay } from "../frame/SignedInPerson.ts"
import { Badge } from "../parts/Badge.tsx"
import { Empty } from "../parts/Empty.tsx"
import { FilterSelect, SearchBox } from "../parts/FormFields.tsx"
import { Heading } from "../parts/Heading.tsx"
import { Icon } from "../parts/Icons.tsx"
import { type Column, Rows } from "../parts/RowsTable.tsx"
import { useTyped } from "../parts/Typed.ts"

export const statuses = [
  "draft",
  "scheduled",
  "running",
  "paused",
  "insufficient_balance",
  "completed",
  "cancelled"
] as const satisfies ReadonlyArray<Campaign["status"]>

/** How far a campaign has come: the bar is for the eye, the number for everybody. */
const Progress = ({ campaign }: { readonly campaign: Campaign }) => {
  const { completed_contacts, failed_contacts, total_contacts } = campaign
  const share = (n: number) => ({ width: `${(n / total_contacts) * 100}%` })
  if (total_contacts === 0) return <span className="text-soft">{say("campaigns.nobody")}</span>
  return (
    <span className="grid gap-1">
      <span>{say("campaigns.progress", { n: completed_contacts + failed_contacts, m: total_contacts })}</span>
      <span className="meter" aria-hidden="true">
        <span className="is-good" style={share(completed_contacts)} />
        <span className="is-bad" style={share(failed_contacts)} />
      </span>
    </span>
  )
}

const columns: ReadonlyArray<Column<Campaign>> = [
  {
    title: say("campaigns.name"),
    width: "minmax(0, 2.4fr)",
    cell: ({ completed_contacts, failed_contacts, id, name, total_contacts }) => (
      <span className="grid leading-5">
        <Link
          to="/campaigns/$id"
          params={{ id }}
          dir="auto"
          className="block truncate font-semibold after:absolute after:inset-0"
          title={name}
        >
          {name}
        </Link>
        <span className="text-xs text-soft md:hidden">
          {total_contacts === 0
            ? say("campaigns.nobody")
            : say("campaigns.progress", { n: completed_contacts + failed_contacts, m: total_contacts })}
        </span>
      </span>
    )
  },
  { title: say("campaigns.status"), width: "8.5rem", cell: ({ status }) => <Badge kind="status" status={status} /> },
  {
    title: say("campaigns.progress-title"),
    width: "minmax(7rem, 1.2fr)",
    room: 1,
    cell: (campaign) => <Progress campaign={campaign} />
  },
  {
    title: say("campaigns.failed"),
    width: "5rem",
    isNumber: true,
    room: 2,
    cell: ({ failed_contacts }) => number(failed_contacts)
  },
  { title: say("campaigns.mode"), width: "5.5rem", room: 2, cell: ({ dial_mode }) => wordOf("mode", dial_mode) },
  {
    title: say("campaigns.created"),
    width: "11rem",
    room: 2,
    cell: ({ created_at }) => <span title={exactMoment(created_at)}>{moment(created_at)}</span>
  }
]

const NewCampaign = () => (
  <Link to="/campaigns/new" className="button is-primary">
    <Icon name="plus" className="size-4 flex-none" />
    {say("campaigns.new")}
  </Link>
)

export const CampaignsPage = () => {
  const { q = "", status = "" } = useSearch({ from: "/campaigns" })
  const navigate = useNavigate()
  const mayWrite = useMay("campaigns:write")
  const filter = (change: { readonly q?: string; readonly status?: string }) =>
    void navigate({
      to: "/campaigns",
      search: Object.fromEntries(Object.entries({ q, status, ...change }).filter(([, value]) => value !== "")),
      replace: true
    })
  const [typed, setTyped] = useTyped(q, (text) => filter({ q: text }))
  const isFiltered = q !== "" || status !== ""
  return (
    <>
      <Heading title={say("campaigns.heading")} actions={mayWrite ? <NewCampaign /> : undefined} />
      <Rows
        label={say("campaigns.heading")}
        columns={columns}
        idOf={({ id }) => id}
        listKey={["campaigns", q, status]}
        topics={["campaigns"]}
        pageSize={50}
        isNewestFirst
        read={(page, signal) =>
          api.campaigns
            .list({ ...page, q: q === "" ? undefined : q, status: status === "" ? undefined : status }, { signal })
            .then((found) => found)
        }
        tools={
          <>
            <SearchBox label={say("campaigns.search")} value={typed} onChange={setTyped} />
            <FilterSelect
              label={say("campaigns.status")}
              value={status}
              onChange={(value) => filter({ status: value })}
              options={[
                { value: "", text: say("filter.all") },
                ...statuses.map((value) => ({ value, text: wordOf("status", value) }))
              ]}
            />
          </>
        }
        empty={
          isFiltered ? (
            <Empty icon="search" title={say("list.nothing-found")} sentence={say("campaigns.nothing-found")}>
              <button type="button" className="button" onClick={() => filter({ q: "", status: "" })}>
                {say("list.clear")}
              </button>
            </Empty>
          ) : (
            <Empty icon="campaigns" title={say("campaigns.empty")} sentence={say("campaigns.empty-lead")}>
              {mayWrite ? <NewCampaign /> : null}
            </Empty>
          )
        }
      />
    </>
  )
}
