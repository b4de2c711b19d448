/** The agents of the account. */
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import type { Bot, Page } from "@trunkline/client"
import { exactMoment, moment, say, wordOf } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { useMay } from "../frame/SignedInPerson.ts"
import { Badge } from "../parts/Badge.tsx"
import { Button } from "../parts/Button.tsx"
import { Empty } from "../parts/Empty.tsx"
import { SearchBox } from "../parts/FormFields.tsx"
import { Heading } from "../parts/Heading.tsx"
import { Icon } from "../parts/Icons.tsx"
import { type Column, Rows } from "../parts/RowsTable.tsx"
import { useTyped } from "../parts/Typed.ts"
import { agentStatus, agentValues } from "./AgentFields.ts"

const modelOf = (agent: Bot): string => agentValues(agent).model || say("agents.default-model")

const columns: ReadonlyArray<Column<Bot>> = [
  {
    title: say("field.name"),
    width: "minmax(0, 1.6fr)",
    cell: (agent) => (
      <span className="grid leading-5">
        <Link
          to="/agents/$id"
          params={{ id: agent.id }}
          title={agent.name}
          className="block truncate font-semibold after:absolute after:inset-0"
        >
          {agent.name}
        </Link>
        <span className="truncate text-xs text-soft md:hidden">
          {wordOf("agent", agentStatus(agent))}, {modelOf(agent)}
        </span>
      </span>
    )
  },
  {
    title: say("webhooks.status"),
    width: "7.5rem",
    room: 1,
    cell: (agent) => <Badge kind="agent" status={agentStatus(agent)} />
  },
  {
    title: say("agents.model"),
    width: "minmax(0, 1fr)",
    room: 1,
    cell: (agent) => <span title={modelOf(agent)}>{modelOf(agent)}</span>
  },
  {
    title: say("agents.changed"),
    width: "11rem",
    room: 2,
    cell: ({ updated_at }) => <span title={exactMoment(updated_at)}>{moment(updated_at)}</span>
  }
]

/** An account has few agents: a name is looked for here, among all of them. */
const found = async (
  q: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
  signal: AbortSignal
): Promise<Page<Bot>> => {
  if (q === "") return await api.bots.list({ limit, offset }, { signal })
  const looked = q.toLocaleLowerCase()
  const all: Array<Bot> = []
  for await (const agent of api.bots.list({ limit: 500 }, { signal }))
    if (agent.name.toLocaleLowerCase().includes(looked)) all.push(agent)
  return { items: all.slice(offset, offset + limit), total: all.length, hasMore: all.length > offset + limit }
}

const NewAgent = () => (
  <Link to="/agents/new" className="button is-primary">
    <Icon name="plus" className="size-4 flex-none" />
    {say("agents.new")}
  </Link>
)

export const AgentsPage = () => {
  const { q = "" } = useSearch({ from: "/agents" })
  const navigate = useNavigate()
  const may = useMay("messaging:write")
  const search = (text: string) =>
    void navigate({ to: "/agents", search: text === "" ? {} : { q: text }, replace: true })
  const [typed, setTyped] = useTyped(q, search)
  return (
    <>
      <Heading title={say("agents.heading")} lead={say("agents.lead")} actions={may ? <NewAgent /> : undefined} />
      <Rows
        label={say("agents.heading")}
        columns={columns}
        idOf={({ id }) => id}
        listKey={["agents", "list", q]}
        topics={["agents"]}
        pageSize={100}
        isNewestFirst
        read={(page, signal) => found(q, page, signal)}
        tools={<SearchBox label={say("agents.search")} value={typed} onChange={setTyped} />}
        empty={
          q === "" ? (
            <Empty icon="agent" title={say("agents.empty")} sentence={say("agents.empty-lead")} />
          ) : (
            <Empty icon="search" title={say("list.nothing-found")} sentence={say("agents.nothing-found")}>
              <Button onPress={() => search("")}>{say("list.clear")}</Button>
            </Empty>
          )
        }
      />
    </>
  )
}
