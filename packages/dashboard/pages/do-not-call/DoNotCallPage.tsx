/** The do-not-call list: numbers that nobody calls, however they are written. */
import { useNavigate, useSearch } from "@tanstack/react-router"
import type { DoNotCallEntry } from "@trunkline/client"
import { useState } from "react"
import { sayResult } from "../frame/Notices.ts"
import { readAgain } from "../frame/QueryCache.ts"
import { exactMoment, moment, say } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { useMay } from "../frame/SignedInPerson.ts"
import { Button } from "../parts/Button.tsx"
import { ConfirmDialog, Facts } from "../parts/ConfirmDialog.tsx"
import { Downloaded } from "../parts/Download.tsx"
import { Empty } from "../parts/Empty.tsx"
import { SearchBox } from "../parts/FormFields.tsx"
import { Heading } from "../parts/Heading.tsx"
import { Icon } from "../parts/Icons.tsx"
import { numberOrWords } from "../parts/NumberSearch.ts"
import { actionsColumn } from "../parts/RowActions.tsx"
import { type Column, Rows } from "../parts/RowsTable.tsx"
import { useTyped } from "../parts/Typed.ts"
import { nothing } from "../parts/Who.tsx"
import { AddNumberDialog } from "./AddNumberDialog.tsx"
import { ImportNumbersDialog } from "./ImportNumbersDialog.tsx"

type Asked = { readonly what: "add" | "import" } | { readonly what: "remove"; readonly entry: DoNotCallEntry }

const columnsOf = (ask: ((asked: Asked) => void) | null): ReadonlyArray<Column<DoNotCallEntry>> => [
  {
    title: say("dnc.phone"),
    width: "minmax(9rem, 1fr)",
    cell: ({ phone, reason }) => (
      <span className="grid leading-5">
        <span className="truncate font-semibold" title={phone}>
          {phone}
        </span>
        <span dir="auto" className="truncate text-xs text-soft md:hidden">
          {reason ?? ""}
        </span>
      </span>
    )
  },
  {
    title: say("dnc.reason"),
    width: "minmax(0, 2fr)",
    room: 1,
    cell: ({ reason }) =>
      reason === null || reason === "" ? (
        nothing
      ) : (
        <span dir="auto" title={reason}>
          {reason}
        </span>
      )
  },
  {
    title: say("numbers.added"),
    width: "11rem",
    room: 2,
    cell: ({ created_at }) => <span title={exactMoment(created_at)}>{moment(created_at)}</span>
  },
  ...(ask === null
    ? []
    : [
        actionsColumn(1, (entry: DoNotCallEntry) => [
          {
            icon: "trash",
            word: say("dnc.remove"),
            name: say("dnc.remove-named", { phone: entry.phone }),
            onPress: () => ask({ what: "remove", entry })
          }
        ])
      ])
]

/** The file has what the list has. */
const fileOf = (query: Readonly<Record<string, string>>): string => {
  const text = new URLSearchParams(query).toString()
  return `api/v1/voice-campaigns/dnc.csv${text === "" ? "" : `?${text}`}`
}

const RemoveDialog = ({
  entry: { id, phone },
  onClose
}: {
  readonly entry: DoNotCallEntry
  readonly onClose: () => void
}) => (
  <ConfirmDialog
    title={say("dnc.remove-named", { phone })}
    isDanger
    onClose={onClose}
    run={async () => {
      await api.suppression.remove(id)
      sayResult(say("dnc.removed", { phone }))
      await readAgain("suppression")
    }}
  >
    <Facts facts={[say("dnc.remove-lead", { n: 1 }), say("dnc.remove-others"), say("dnc.remove-contacts")]} />
  </ConfirmDialog>
)

export const DoNotCallPage = () => {
  const { q = "" } = useSearch({ from: "/do-not-call" })
  const navigate = useNavigate()
  const may = useMay("campaigns:write")
  const [asked, setAsked] = useState<Asked | null>(null)
  // What the person adds stands in the list at once: it is begun anew.
  const [begun, setBegun] = useState(0)
  const [columns] = useState(() => columnsOf(may ? setAsked : null))
  const [typed, setTyped] = useTyped(
    q,
    (text) => void navigate({ to: "/do-not-call", search: text === "" ? {} : { q: text }, replace: true })
  )
  const close = () => {
    if (asked !== null && asked.what !== "remove") setBegun((nth) => nth + 1)
    setAsked(null)
  }
  const query = numberOrWords(q)
  return (
    <>
      <Heading
        title={say("dnc.heading")}
        lead={say("dnc.lead")}
        actions={
          <>
            <Downloaded path={fileOf({ ...query })} name="do-not-call.csv" className="button is-quiet">
              <Icon name="download" className="size-4 flex-none" />
              {say("dnc.download")}
            </Downloaded>
            {may ? (
              <>
                <Button writes onPress={() => setAsked({ what: "import" })}>
                  <Icon name="upload" className="size-4 flex-none" />
                  {say("dnc.import")}
                </Button>
                <Button look="primary" writes onPress={() => setAsked({ what: "add" })}>
                  <Icon name="plus" className="size-4 flex-none" />
                  {say("dnc.add")}
                </Button>
              </>
            ) : null}
          </>
        }
      />
      <Rows
        label={say("dnc.heading")}
        columns={columns}
        idOf={({ id }) => id}
        listKey={["do-not-call", q, begun]}
        topics={["suppression"]}
        pageSize={100}
        isNewestFirst
        read={(page, signal) => api.suppression.list({ ...query, ...page }, { signal }).then((found) => found)}
        tools={<SearchBox label={say("dnc.search")} value={typed} onChange={setTyped} />}
        empty={
          q === "" ? (
            <Empty icon="ban" title={say("dnc.empty")} sentence={say("dnc.empty-lead")} />
          ) : (
            <Empty
              icon="search"
              title={say("list.nothing-found")}
              sentence={say(query.phone === undefined ? "dnc.nothing-found" : "dnc.number-not-found")}
            >
              <Button onPress={() => setTyped("")}>{say("list.clear")}</Button>
            </Empty>
          )
        }
      />
      {asked === null ? null : asked.what === "remove" ? (
        <RemoveDialog entry={asked.entry} onClose={close} />
      ) : asked.what === "add" ? (
        <AddNumberDialog onClose={close} />
      ) : (
        <ImportNumbersDialog onClose={close} />
      )}
    </>
  )
}
