/** What the account has, and where its credits came from and went. */
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import type { LedgerEntry } from "@trunkline/client"
import { faultOfRead } from "../frame/FaultSentences.ts"
import { locale, say, wordOf } from "../frame/Say.ts"
import { api, isStatus } from "../frame/ServerRequests.ts"
import { Button } from "../parts/Button.tsx"
import { credits } from "../parts/CreditAmount.ts"
import { Downloaded } from "../parts/Download.tsx"
import { Empty } from "../parts/Empty.tsx"
import { Moment } from "../parts/Fact.tsx"
import { FaultAlert } from "../parts/FaultAlert.tsx"
import { FilterSelect } from "../parts/FormFields.tsx"
import { Icon } from "../parts/Icons.tsx"
import { OnPhone } from "../parts/Narrow.ts"
import { type Column, Rows } from "../parts/RowsTable.tsx"
import { nothing } from "../parts/Who.tsx"

const kinds = ["grant", "call", "inference"] as const
type Kind = (typeof kinds)[number]

const [signed, signedSmall] = [2, 6].map(
  (maximumFractionDigits) => new Intl.NumberFormat(locale, { maximumFractionDigits, signDisplay: "exceptZero" })
)

const amountOf = ({ amount }: LedgerEntry): string => {
  const value = Number(amount)
  return (Math.abs(value) < 1 ? signedSmall! : signed!).format(value)
}

const Reference = ({ entry: { kind, reference } }: { readonly entry: LedgerEntry }) =>
  reference === null ? (
    nothing
  ) : kind === "call" ? (
    <Link to="/calls/$id" params={{ id: reference }} className="text-link font-mono text-xs" title={reference}>
      {reference}
    </Link>
  ) : (
    <span className="font-mono text-xs text-soft" title={reference}>
      {reference}
    </span>
  )

const columns: ReadonlyArray<Column<LedgerEntry>> = [
  {
    title: say("usage.time"),
    width: "minmax(0, 1fr)",
    cell: ({ created_at, kind }) => (
      <span className="grid leading-5">
        <Moment iso={created_at} />
        <OnPhone>
          <span className="text-xs text-soft">{wordOf("ledger-kind", kind)}</span>
        </OnPhone>
      </span>
    )
  },
  { title: say("ledger.kind"), width: "minmax(0, 1fr)", room: 1, cell: ({ kind }) => wordOf("ledger-kind", kind) },
  { title: say("ledger.reference"), width: "minmax(0, 2fr)", room: 1, cell: (entry) => <Reference entry={entry} /> },
  { title: say("ledger.amount"), width: "6.5rem", isNumber: true, cell: amountOf }
]

const Balance = () => {
  const { data, error, refetch } = useQuery({
    queryKey: ["account", "credits"],
    queryFn: ({ signal }) => api.overview.account({ signal }),
    meta: { topics: ["account"] }
  })
  if (data === undefined && error !== null && !isStatus(error, 401))
    return <FaultAlert fault={{ sentence: faultOfRead(error), again: () => void refetch() }} />
  const budget = data?.monthly_budget ?? null
  const facts = [
    [say("usage.available"), data?.credits.available],
    [say("usage.reserved"), data?.credits.reserved],
    [say("usage.month"), data?.monthly_spent],
    ...(budget === null ? [] : [[say("usage.budget"), budget] as const])
  ] as const
  return (
    <div className="panel overflow-hidden">
      <dl className="flex flex-wrap gap-px bg-line">
        {facts.map(([title, amount]) => (
          <div key={title} className="grid flex-1 basis-40 content-start gap-0.5 bg-raised px-4 py-3">
            <dt className="text-sm text-soft">{title}</dt>
            <dd className="text-xl font-semibold tabular-nums">{amount === undefined ? "…" : credits(amount)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

const Ledger = () => {
  const search = useSearch({ from: "/usage" })
  const navigate = useNavigate()
  const kind = kinds.find((one) => one === search.kind) ?? ""
  const choose = (value: string): void =>
    void navigate({ to: "/usage", search: { ...search, kind: value }, replace: true })
  const query = kind === "" ? {} : { kind: kind as Kind }
  return (
    <Rows
      label={say("ledger.heading")}
      columns={columns}
      idOf={({ id }) => id}
      listKey={["ledger", kind]}
      topics={["account"]}
      pageSize={100}
      isNewestFirst
      read={(page, signal) => api.credits.listLedger({ ...query, ...page }, { signal }).then((found) => found)}
      tools={
        <>
          <h3 className="font-semibold">{say("ledger.heading")}</h3>
          <FilterSelect
            label={say("ledger.kind")}
            value={kind}
            onChange={choose}
            options={[
              { value: "", text: say("filter.all") },
              ...kinds.map((value) => ({ value, text: wordOf("ledger-kind", value) }))
            ]}
          />
          <Downloaded
            path={`api/v1/credits/ledger.csv${kind === "" ? "" : `?kind=${kind}`}`}
            name="ledger.csv"
            className="button is-quiet"
          >
            <Icon name="download" className="size-4 flex-none" />
            {say("ledger.download")}
          </Downloaded>
        </>
      }
      empty={
        <Empty icon="clock" title={say("list.nothing-found")} sentence={say("ledger.empty")}>
          {kind === "" ? null : <Button onPress={() => choose("")}>{say("list.clear")}</Button>}
        </Empty>
      }
    />
  )
}

export const CreditsSection = () => (
  <section aria-labelledby="credits" className="grid grid-cols-1 gap-4">
    <h2 id="credits" className="text-lg font-semibold">
      {say("usage.credits")}
    </h2>
    <Balance />
    <Ledger />
  </section>
)
