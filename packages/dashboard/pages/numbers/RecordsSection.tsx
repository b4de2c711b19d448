/** One of the lists of the page: what is there, and dialogs that add one, change one and take one away. */
import type { Page } from "@trunkline/client"
import { type ReactNode, useState } from "react"
import { exactMoment, moment, say } from "../frame/Say.ts"
import { useMay } from "../frame/SignedInPerson.ts"
import { Button } from "../parts/Button.tsx"
import { Empty } from "../parts/Empty.tsx"
import { actionsColumn, type RowAction } from "../parts/RowActions.tsx"
import { type Column, Rows } from "../parts/RowsTable.tsx"
import { NumbersSection } from "./NumbersSection.tsx"

/** What a dialog is about. */
export type Asked<Row> = { readonly kind: "new" } | { readonly kind: "change" | "remove"; readonly row: Row }

/** A button of a row: its word, and its name with the row's in it. */
type Words = Pick<RowAction, "word" | "name">

interface Given<Row> {
  readonly title: string
  readonly lead: string
  /** The button that adds one. */
  readonly add: string
  /** What is said where there is none. */
  readonly empty: readonly [title: string, sentence: string]
  /** Who may change the list. */
  readonly scope: string
  readonly listKey: ReadonlyArray<string>
  readonly columns: ReadonlyArray<Column<Row>>
  readonly change: (row: Row) => Words
  readonly remove: (row: Row) => Words
  readonly read: (query: { readonly limit: number; readonly offset: number }, signal: AbortSignal) => Promise<Page<Row>>
  readonly dialog: (asked: Asked<Row>, onClose: () => void) => ReactNode
}

interface Record {
  readonly id: string
  readonly created_at: string
}

const columnsOf = <Row extends Record>(
  { change, columns, remove }: Given<Row>,
  show: ((asked: Asked<Row>) => void) | null
): ReadonlyArray<Column<Row>> => [
  ...columns,
  {
    title: say("numbers.added"),
    width: "11rem",
    room: 2,
    cell: ({ created_at }) => <span title={exactMoment(created_at)}>{moment(created_at)}</span>
  },
  ...(show === null
    ? []
    : [
        actionsColumn(2, (row: Row) => [
          { icon: "edit", ...change(row), onPress: () => show({ kind: "change", row }) },
          { icon: "trash", ...remove(row), onPress: () => show({ kind: "remove", row }) }
        ])
      ])
]

export const RecordsSection = <Row extends Record>(given: Given<Row>) => {
  const may = useMay(given.scope)
  const [asked, setAsked] = useState<Asked<Row> | null>(null)
  // What the person adds stands in the list at once: it is begun anew.
  const [begun, setBegun] = useState(0)
  const [columns] = useState(() => columnsOf(given, may ? setAsked : null))
  return (
    <NumbersSection title={given.title} lead={given.lead}>
      <Rows
        tools={
          may ? (
            <Button writes onPress={() => setAsked({ kind: "new" })}>
              {given.add}
            </Button>
          ) : null
        }
        label={given.title}
        columns={columns}
        idOf={({ id }) => id}
        listKey={[...given.listKey, begun]}
        topics={["numbers"]}
        pageSize={100}
        isNewestFirst
        read={given.read}
        empty={<Empty icon="phone" title={given.empty[0]} sentence={given.empty[1]} />}
      />
      {asked === null
        ? null
        : given.dialog(asked, () => {
            setAsked(null)
            if (asked.kind === "new") setBegun((nth) => nth + 1)
          })}
    </NumbersSection>
  )
}
