/** The keys by which programs use the account: what each may spend, has spent, and when it was used. */
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import type { ApiKey, ApiKeyWithText } from "@trunkline/client"
import { useState } from "react"
import { sayResult } from "../frame/Notices.ts"
import { readAgain } from "../frame/QueryCache.ts"
import { exactMoment, locale, moment, say, wordOf } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { Badge } from "../parts/Badge.tsx"
import { Button } from "../parts/Button.tsx"
import { ConfirmDialog, Facts } from "../parts/ConfirmDialog.tsx"
import { credits } from "../parts/CreditAmount.ts"
import { Empty } from "../parts/Empty.tsx"
import { FilterSelect, SearchBox } from "../parts/FormFields.tsx"
import { Heading } from "../parts/Heading.tsx"
import { Icon } from "../parts/Icons.tsx"
import { OnPhone } from "../parts/Narrow.ts"
import { actionsColumn, type RowAction } from "../parts/RowActions.tsx"
import { type Column, Rows } from "../parts/RowsTable.tsx"
import { useTyped } from "../parts/Typed.ts"
import { nothing } from "../parts/Who.tsx"
import { ChangeKeyDialog, NewKeyDialog } from "./KeyDialog.tsx"
import { nameOf } from "./KeyWords.ts"
import { YourNewKey } from "./YourNewKey.tsx"

type Asked = { readonly what: "new" } | { readonly what: "rotate" | "revoke"; readonly key: ApiKey }

const days = new Intl.DateTimeFormat(locale, { dateStyle: "medium" })

const Day = ({ iso }: { readonly iso: string | null }) =>
  iso === null ? nothing : <span title={exactMoment(iso)}>{days.format(new Date(iso))}</span>

const states = ["active", "expired", "revoked"] as const

const Name = ({ apiKey }: { readonly apiKey: ApiKey }) => {
  const name = nameOf(apiKey)
  return (
    <span className="grid leading-5">
      {apiKey.state === "revoked" ? (
        <span className="truncate font-semibold" title={name}>
          {name}
        </span>
      ) : (
        <Link
          to="/keys"
          search={(search: object) => ({ ...search, key: apiKey.id })}
          className="truncate font-semibold hover:underline"
          title={name}
        >
          {name}
        </Link>
      )}
      {apiKey.previous_until === null ? (
        <span className="truncate text-xs text-soft">
          <OnPhone>{wordOf("key", apiKey.state)} · </OnPhone>
          <span className="font-mono">{apiKey.prefix}…</span>
        </span>
      ) : (
        <span className="truncate text-xs text-soft" title={exactMoment(apiKey.previous_until)}>
          {say("keys.before-until", { time: days.format(new Date(apiKey.previous_until)) })}
        </span>
      )}
    </span>
  )
}

const Spent = ({ apiKey: { budget, budget_period, spent } }: { readonly apiKey: ApiKey }) => {
  if (budget === null) return <>{credits(spent)}</>
  const part = Number(budget) === 0 ? 1 : Math.min(1, Number(spent) / Number(budget))
  return (
    <span className="grid gap-1 leading-5" title={wordOf("key-period", budget_period)}>
      {say("keys.spent-of", { spent: credits(spent), budget: credits(budget) })}
      <span className="meter" aria-hidden="true">
        <span className={part < 1 ? "is-live" : "is-bad"} style={{ width: `${part * 100}%` }} />
      </span>
    </span>
  )
}

const actionsOf = (key: ApiKey, ask: (asked: Asked) => void): ReadonlyArray<RowAction> => {
  const rotate: RowAction = {
    icon: "rotate",
    word: say("keys.rotate"),
    name: say("keys.rotate-which", { name: nameOf(key) }),
    onPress: () => ask({ what: "rotate", key })
  }
  const revoke: RowAction = {
    icon: "ban",
    word: say("keys.revoke"),
    name: say("keys.revoke-which", { name: nameOf(key) }),
    onPress: () => ask({ what: "revoke", key })
  }
  return key.state === "active" ? [rotate, revoke] : key.state === "expired" ? [revoke] : []
}

const columnsOf = (ask: (asked: Asked) => void): ReadonlyArray<Column<ApiKey>> => [
  { title: say("field.name"), width: "minmax(0, 2fr)", cell: (key) => <Name apiKey={key} /> },
  { title: say("keys.state"), width: "6.5rem", room: 1, cell: (key) => <Badge kind="key" status={key.state} /> },
  { title: say("keys.spent"), width: "8rem", isNumber: true, room: 1, cell: (key) => <Spent apiKey={key} /> },
  { title: say("keys.last-used"), width: "6.5rem", room: 2, cell: ({ last_used_at }) => <Day iso={last_used_at} /> },
  { title: say("keys.expires"), width: "6.5rem", room: 2, cell: ({ expires_at }) => <Day iso={expires_at} /> },
  {
    ...actionsColumn(2, (key: ApiKey) => actionsOf(key, ask)),
    width: "min(12.5rem, 24vw)"
  }
]

const day = 86_400

const RotateDialog = ({
  apiKey,
  onClose,
  onRotated
}: {
  readonly apiKey: ApiKey
  readonly onClose: () => void
  readonly onRotated: (made: ApiKeyWithText) => void
}) => {
  const [seconds, setSeconds] = useState(String(day))
  return (
    <ConfirmDialog
      title={say("keys.rotate-which", { name: nameOf(apiKey) })}
      onClose={onClose}
      run={async (idempotencyKey) => {
        onRotated(await api.keys.rotate(apiKey.id, { overlap_seconds: Number(seconds) }, { idempotencyKey }))
        sayResult(say("keys.rotated", { name: nameOf(apiKey) }))
        void readAgain("keys")
      }}
    >
      <Facts
        facts={[
          say("keys.rotate-new"),
          apiKey.previous_until === null ? null : say("keys.rotate-older"),
          say("keys.rotate-same")
        ]}
      />
      <FilterSelect
        isStacked
        label={say("keys.overlap")}
        value={seconds}
        onChange={setSeconds}
        options={[
          { value: String(day), text: say("webhooks.overlap-day") },
          { value: "3600", text: say("webhooks.overlap-hour") },
          { value: String(7 * day), text: say("webhooks.overlap-week") },
          { value: "0", text: say("webhooks.overlap-none") }
        ]}
      />
    </ConfirmDialog>
  )
}

const RevokeDialog = ({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) => (
  <ConfirmDialog
    title={say("keys.revoke-which", { name: nameOf(apiKey) })}
    isDanger
    onClose={onClose}
    run={async () => {
      await api.keys.revoke(apiKey.id)
      sayResult(say("keys.revoked", { name: nameOf(apiKey) }))
      await readAgain("keys")
    }}
  >
    <Facts
      facts={[
        say("keys.revoke-programs"),
        apiKey.last_used_at === null
          ? say("keys.never-used")
          : say("keys.used-at", { time: moment(apiKey.last_used_at) }),
        say("keys.revoke-final")
      ]}
    />
  </ConfirmDialog>
)

export const KeysPage = () => {
  const { key, q = "", state = "" } = useSearch({ from: "/keys" })
  const navigate = useNavigate()
  const show = (change: { readonly q?: string; readonly state?: string }): void =>
    void navigate({ to: "/keys", search: { q, state, ...change }, replace: true })
  const [typed, setTyped] = useTyped(q, (text) => show({ q: text }))
  const [asked, setAsked] = useState<Asked | null>(null)
  const [made, setMade] = useState<ApiKeyWithText | null>(null)
  // What the person makes stands in the list at once: it is begun anew.
  const [begun, setBegun] = useState(0)
  const [columns] = useState(() => columnsOf(setAsked))
  const close = () => setAsked(null)
  const begin = () => setBegun((nth) => nth + 1)
  return (
    <>
      <Heading
        title={say("keys.heading")}
        lead={say("keys.lead")}
        actions={
          <Button look="primary" writes onPress={() => setAsked({ what: "new" })}>
            <Icon name="plus" className="size-4 flex-none" />
            {say("keys.new")}
          </Button>
        }
      />
      <Rows
        label={say("keys.heading")}
        columns={columns}
        idOf={({ id }) => id}
        listKey={["keys", q, state, begun]}
        topics={["keys"]}
        pageSize={100}
        isNewestFirst
        read={(page, signal) =>
          api.keys
            .list(
              { ...page, ...(q === "" ? {} : { q }), ...(state === "" ? {} : { state: state as ApiKey["state"] }) },
              { signal }
            )
            .then((found) => found)
        }
        tools={
          <>
            <SearchBox label={say("keys.search")} value={typed} onChange={setTyped} />
            <FilterSelect
              label={say("keys.state")}
              value={state}
              onChange={(value) => show({ state: value })}
              options={[
                { value: "", text: say("filter.all") },
                ...states.map((value) => ({ value, text: wordOf("key", value) }))
              ]}
            />
          </>
        }
        empty={
          q === "" && state === "" ? (
            <Empty icon="key" title={say("keys.empty")} sentence={say("keys.empty-lead")} />
          ) : (
            <Empty icon="search" title={say("list.nothing-found")} sentence={say("keys.nothing-found")}>
              <Button
                onPress={() => {
                  setTyped("")
                  show({ q: "", state: "" })
                }}
              >
                {say("list.clear")}
              </Button>
            </Empty>
          )
        }
      />
      {asked?.what === "new" ? (
        <NewKeyDialog
          onClose={close}
          onLost={begin}
          onMade={(one) => {
            close()
            setMade(one)
            begin()
            sayResult(say("keys.created", { name: nameOf(one) }))
          }}
        />
      ) : asked?.what === "rotate" ? (
        <RotateDialog apiKey={asked.key} onClose={close} onRotated={setMade} />
      ) : asked?.what === "revoke" ? (
        <RevokeDialog apiKey={asked.key} onClose={close} />
      ) : key !== undefined && made === null ? (
        <ChangeKeyDialog key={key} id={key} onClose={() => show({})} />
      ) : null}
      {made === null ? null : <YourNewKey made={made} onClose={() => setMade(null)} />}
    </>
  )
}
