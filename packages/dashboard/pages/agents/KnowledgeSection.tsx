/** What an agent knows, and what it finds of that for a question. */
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import type { FoundKnowledge, KnowledgeEntry } from "@trunkline/client"
import { useId, useState } from "react"
import { faultOfRead } from "../frame/FaultSentences.ts"
import { exactMoment, moment, number, say } from "../frame/Say.ts"
import { api, isStatus } from "../frame/ServerRequests.ts"
import { useMay } from "../frame/SignedInPerson.ts"
import { Button } from "../parts/Button.tsx"
import { Empty } from "../parts/Empty.tsx"
import { FaultAlert } from "../parts/FaultAlert.tsx"
import { SearchBox } from "../parts/FormFields.tsx"
import { Icon } from "../parts/Icons.tsx"
import { actionsColumn } from "../parts/RowActions.tsx"
import { type Column, Rows } from "../parts/RowsTable.tsx"
import { useTyped } from "../parts/Typed.ts"
import { KnowledgeDialog, ReadKnowledgeDialog, RemoveKnowledgeDialog } from "./KnowledgeDialogs.tsx"

/** Texts that an agent has found, best first, with how much of the question each has. */
export const Findings = ({
  found
}: {
  readonly found: ReadonlyArray<Pick<FoundKnowledge, "title" | "snippet" | "score">>
}) => (
  <ol className="grid gap-2">
    {found.map(({ score, snippet, title }, nth) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the order is the rank, and titles may be the same.
      <li key={nth} className="min-w-0">
        <p className="flex items-baseline gap-2">
          <span className="min-w-0 font-semibold wrap-anywhere">{title}</span>
          <span className="ms-auto text-xs text-soft tabular-nums" title={say("knowledge.score")}>
            {say("unit.percent", { n: Math.round(Number(score) * 100) })}
          </span>
        </p>
        <p className="line-clamp-4 text-sm text-soft wrap-anywhere">{snippet}</p>
      </li>
    ))}
  </ol>
)

/** What the agent itself would find. */
const Found = ({ agentId, q }: { readonly agentId: string; readonly q: string }) => {
  const { data, error, refetch } = useQuery({
    queryKey: ["knowledge", agentId, "found", q],
    queryFn: ({ signal }) => api.bots.searchKnowledge(agentId, { q }, { signal }),
    placeholderData: (before) => before,
    meta: { topics: ["agents"] }
  })
  if (error !== null && data === undefined && !isStatus(error, 401))
    return <FaultAlert fault={{ sentence: faultOfRead(error), again: () => void refetch() }} />
  if (data === undefined) return <span aria-busy="true" className="skeleton block h-24 rounded-lg" />
  return (
    <div className="panel p-4">
      <p role="status" className="mb-3 text-sm text-soft">
        {data.length === 0 ? say("knowledge.nothing-found") : say("knowledge.found")}
      </p>
      <Findings found={data} />
    </div>
  )
}

type Shown = { readonly kind: "new" } | { readonly kind: "open" | "remove"; readonly entry: KnowledgeEntry }

const columnsOf = (show: (shown: Shown) => void, may: boolean): ReadonlyArray<Column<KnowledgeEntry>> => [
  {
    title: say("knowledge.title"),
    width: "minmax(0, 1fr)",
    cell: (entry) => (
      <span className="grid leading-5">
        <button
          type="button"
          className="truncate text-start font-semibold hover:underline"
          title={entry.title}
          onClick={() => show({ kind: "open", entry })}
        >
          {entry.title}
        </button>
        <span className="truncate text-xs text-soft">{entry.content.slice(0, 200)}</span>
      </span>
    )
  },
  {
    title: say("knowledge.size"),
    width: "5.5rem",
    isNumber: true,
    room: 1,
    cell: ({ content, created_at }) => (
      <span title={`${moment(created_at)}, ${exactMoment(created_at)}`}>{number(content.length)}</span>
    )
  },
  ...(may
    ? [
        actionsColumn(1, (entry: KnowledgeEntry) => [
          {
            icon: "trash",
            word: say("knowledge.remove"),
            name: say("knowledge.remove-named", { title: entry.title }),
            onPress: () => show({ kind: "remove", entry })
          }
        ])
      ]
    : [])
]

export const KnowledgeSection = ({ agentId }: { readonly agentId: string }) => {
  const id = useId()
  const { q = "" } = useSearch({ from: "/agents/$id" })
  const navigate = useNavigate()
  const may = useMay("messaging:write")
  const [shown, setShown] = useState<Shown | null>(null)
  const [columns] = useState(() => columnsOf(setShown, may))
  // What the person adds stands in the list at once: it is begun anew.
  const [begun, setBegun] = useState(0)
  const [typed, setTyped] = useTyped(
    q,
    (text) =>
      void navigate({
        to: "/agents/$id",
        params: { id: agentId },
        search: text === "" ? {} : { q: text },
        replace: true,
        resetScroll: false
      })
  )
  const close = () => setShown(null)
  return (
    <section aria-labelledby={id} className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-0">
          <h2 id={id} className="text-lg font-semibold">
            {say("knowledge.heading")}
          </h2>
          <p className="text-soft">{say("knowledge.lead")}</p>
        </div>
        {may ? (
          <Button writes className="ms-auto" onPress={() => setShown({ kind: "new" })}>
            <Icon name="plus" className="size-4 flex-none" />
            {say("knowledge.add")}
          </Button>
        ) : null}
      </div>
      <SearchBox label={say("knowledge.search")} value={typed} onChange={setTyped} />
      {q === "" ? (
        <Rows
          label={say("knowledge.heading")}
          columns={columns}
          idOf={(entry) => entry.id}
          listKey={["knowledge", agentId, begun]}
          topics={["agents"]}
          // Each has its whole text.
          pageSize={25}
          isNewestFirst
          read={(page, signal) => api.bots.listKnowledge(agentId, page, { signal }).then((found) => found)}
          empty={<Empty icon="book" title={say("knowledge.empty")} sentence={say("knowledge.empty-lead")} />}
        />
      ) : (
        <Found agentId={agentId} q={q} />
      )}
      {shown === null ? null : shown.kind === "remove" ? (
        <RemoveKnowledgeDialog agentId={agentId} entry={shown.entry} onClose={close} />
      ) : !may && shown.kind === "open" ? (
        <ReadKnowledgeDialog entry={shown.entry} onClose={close} />
      ) : (
        <KnowledgeDialog
          agentId={agentId}
          entry={shown.kind === "new" ? null : shown.entry}
          onClose={close}
          onAdded={() => setBegun((nth) => nth + 1)}
        />
      )}
    </section>
  )
}
