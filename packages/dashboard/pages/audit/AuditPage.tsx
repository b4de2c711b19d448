/** Who did what in the account, the newest first. */
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import type { AuditEntry } from "@trunkline/client"
import { moment, say, wordOf } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { Button } from "../parts/Button.tsx"
import { DayField, instantOf } from "../parts/DayField.tsx"
import { Empty } from "../parts/Empty.tsx"
import { Moment } from "../parts/Fact.tsx"
import { FilterSelect } from "../parts/FormFields.tsx"
import { Heading } from "../parts/Heading.tsx"
import { Icon } from "../parts/Icons.tsx"
import { OnPhone, useIsNarrow } from "../parts/Narrow.ts"
import { withChosen } from "../parts/RecordChoices.ts"
import { type Column, Rows } from "../parts/RowsTable.tsx"
import { nothing } from "../parts/Who.tsx"
import { auditActions } from "./AuditActions.ts"

type Search = ReturnType<typeof useFilters>["search"]

/** The words in the address may be any: the server refuses those that it does not know. */
type Query = NonNullable<Parameters<typeof api.audit.list>[0]>

const useFilters = () => {
  const search = useSearch({ from: "/audit" })
  const navigate = useNavigate()
  const filter = (change: Partial<typeof search>): void =>
    void navigate({ to: "/audit", search: { ...search, ...change }, replace: true })
  const clear = (): void => void navigate({ to: "/audit", search: {}, replace: true })
  return { search, filter, clear }
}

const whoOf = ({ actor, actor_name }: Pick<AuditEntry, "actor" | "actor_name">): string =>
  actor_name ?? wordOf("audit-actor", actor)

/** A link that leaves the entries of one actor, or those about one record. */
const Only = ({ by, id, text }: { readonly by: "actor" | "target_id"; readonly id: string; readonly text: string }) => (
  <Link
    to="/audit"
    search={(search: object) => ({ ...search, [by]: id })}
    title={text === id ? text : `${text} (${id})`}
    className="truncate leading-6 hover:underline"
  >
    {text}
  </Link>
)

const Target = ({ entry: { target_id, target_name } }: { readonly entry: AuditEntry }) => {
  const text = target_name ?? target_id
  if (text === null) return nothing
  return target_id === null ? <span title={text}>{text}</span> : <Only by="target_id" id={target_id} text={text} />
}

/** Below what was done: its word in the API, and on a phone what has no column there. */
const Below = ({ entry }: { readonly entry: AuditEntry }) =>
  useIsNarrow() ? (
    <span className="truncate text-xs text-soft">
      {whoOf(entry)} · {moment(entry.at)}
    </span>
  ) : (
    <span className="truncate font-mono text-xs text-soft">{entry.action}</span>
  )

const columns: ReadonlyArray<Column<AuditEntry>> = [
  { title: say("audit.at"), width: "10.5rem", room: 1, cell: ({ at }) => <Moment iso={at} /> },
  {
    title: say("audit.who"),
    width: "minmax(0, 1fr)",
    room: 1,
    cell: (entry) => <Only by="actor" id={entry.actor} text={whoOf(entry)} />
  },
  {
    title: say("audit.what"),
    width: "minmax(0, 1.4fr)",
    cell: (entry) => (
      <span className="grid leading-5">
        <span className="truncate font-semibold" title={entry.action}>
          {wordOf("audit-action", entry.action)}
          {entry.target_name === null ? null : <OnPhone>: {entry.target_name}</OnPhone>}
        </span>
        <Below entry={entry} />
      </span>
    )
  },
  { title: say("audit.target"), width: "minmax(0, 1.2fr)", room: 1, cell: (entry) => <Target entry={entry} /> }
]

const queryOf = ({ action, actor, from, target_id, to }: Search): Query =>
  Object.fromEntries(
    Object.entries({ action, actor, target_id, from: instantOf(from, 0), to: instantOf(to, 1) }).filter(
      ([, value]) => value !== undefined
    )
  ) as Query

/** A filter that was set by a link, and is taken off by its button. */
const Chosen = ({
  onClear,
  title,
  value
}: {
  readonly title: string
  readonly value: string
  readonly onClear: () => void
}) => (
  <span className="grid min-w-0 max-w-full grid-cols-1 gap-1">
    <span className="text-sm font-semibold text-soft">{title}</span>
    <Button
      className="min-w-0 max-w-64"
      aria-label={say("audit.any", { filter: title, value })}
      title={value}
      onPress={onClear}
    >
      <span className="truncate">{value}</span>
      <Icon name="close" className="size-4 flex-none" />
    </Button>
  </span>
)

const Filters = ({ filter, search }: Pick<ReturnType<typeof useFilters>, "filter" | "search">) => (
  <div className="flex flex-wrap items-end gap-3">
    <FilterSelect
      isStacked
      label={say("audit.what")}
      value={search.action ?? ""}
      onChange={(action) => filter({ action })}
      options={[
        { value: "", text: say("filter.all") },
        ...withChosen(
          search.action ?? "",
          auditActions.map((value) => ({ value, text: wordOf("audit-action", value) }))
        )
      ]}
    />
    <span className="grid grid-cols-2 gap-3">
      <DayField label={say("calls.since")} value={search.from ?? ""} onChange={(from) => filter({ from })} />
      <DayField label={say("calls.until")} value={search.to ?? ""} onChange={(to) => filter({ to })} />
    </span>
    {search.actor === undefined ? null : (
      <Chosen
        title={say("audit.who")}
        value={wordOf("audit-actor", search.actor)}
        onClear={() => filter({ actor: "" })}
      />
    )}
    {search.target_id === undefined ? null : (
      <Chosen title={say("audit.target")} value={search.target_id} onClear={() => filter({ target_id: "" })} />
    )}
  </div>
)

export const AuditPage = () => {
  const { clear, filter, search } = useFilters()
  const query = queryOf(search)
  return (
    <>
      <Heading title={say("audit.heading")} />
      <Rows
        label={say("audit.heading")}
        columns={columns}
        idOf={({ id }) => id}
        listKey={["audit", search]}
        topics={[
          "account",
          "agents",
          "campaigns",
          "contacts",
          "conversations",
          "keys",
          "members",
          "numbers",
          "suppression",
          "webhooks"
        ]}
        pageSize={200}
        isNewestFirst
        read={(page, signal) => api.audit.list({ ...query, ...page }, { signal }).then((found) => found)}
        tools={<Filters filter={filter} search={search} />}
        empty={
          Object.keys(search).length === 0 ? (
            <Empty icon="audit" title={say("audit.empty")} sentence={say("audit.empty-lead")} />
          ) : (
            <Empty icon="search" title={say("list.nothing-found")} sentence={say("audit.nothing-found")}>
              <Button onPress={clear}>{say("list.clear")}</Button>
            </Empty>
          )
        }
      />
    </>
  )
}
