/** What calls are found by. It stands in the address, in the words of the API, but for days in the place of instants. */
import { useNavigate, useSearch } from "@tanstack/react-router"
import type { Call } from "@trunkline/client"
import { say, sayCount, wordOf } from "../frame/Say.ts"
import type { api } from "../frame/ServerRequests.ts"
import { settings } from "../frame/Settings.ts"
import { DayField, instantOf } from "../parts/DayField.tsx"
import { FilterSelect, type Option, SearchBox } from "../parts/FormFields.tsx"
import { Icon } from "../parts/Icons.tsx"
import { numberName, optionOf, useAgents, useCampaignNames, useNumbers, withChosen } from "../parts/RecordChoices.ts"
import { useTyped } from "../parts/Typed.ts"

const statuses = [
  "queued",
  "dialing",
  "ringing",
  "in_progress",
  "completed",
  "busy",
  "no_answer",
  "failed",
  "canceled"
] as const satisfies ReadonlyArray<Call["status"]>

const ends = [
  "hangup_remote",
  "hangup_local",
  "busy",
  "no_answer",
  "failed",
  "canceled",
  "do_not_call",
  "window_closed",
  "lost_race",
  "credits",
  "unknown"
] as const satisfies ReadonlyArray<NonNullable<Call["end_reason"]>>

const answers = ["human", "machine", "unknown"] as const

/** Those behind "More filters". */
const further = ["campaign_id", "bot_id", "from_number_id", "end_reason", "answered_by", "since", "until"] as const

type Search = ReturnType<typeof useFilters>["search"]

/** The words in the address may be any: the server refuses those that it does not know. */
type Query = NonNullable<Parameters<typeof api.calls.list>[0]>

/** The last day is a part of it: the API's end is not. */
export const callQuery = ({ since, until, ...search }: Search): Query =>
  ({ ...search, since: instantOf(since, 0), until: instantOf(until, 1) }) as Query

export const useFilters = () => {
  const search = useSearch({ from: "/calls" })
  const navigate = useNavigate()
  const filter = (change: Partial<typeof search>): void =>
    void navigate({
      to: "/calls",
      search: Object.fromEntries(Object.entries({ ...search, ...change }).filter(([, value]) => value !== "")),
      replace: true
    })
  return { search, filter, clear: () => void navigate({ to: "/calls", search: {}, replace: true }) }
}

const all: Option = { value: "", text: say("filter.all") }

const words = (values: ReadonlyArray<string>, text: (value: string) => string): ReadonlyArray<Option> => [
  all,
  ...values.map((value) => ({ value, text: text(value) }))
]

const Further = ({ filter, search }: Pick<ReturnType<typeof useFilters>, "filter" | "search">) => {
  const agents = useAgents().data ?? []
  const numbers = useNumbers().data ?? []
  const campaigns = useCampaignNames().data ?? []
  const { answered_by = "", bot_id = "", campaign_id = "", end_reason = "", from_number_id = "" } = search
  const named = (chosen: string, records: ReadonlyArray<{ readonly id: string; readonly name: string }>) => [
    all,
    ...withChosen(chosen, records.map(optionOf))
  ]
  return (
    <div className="panel mt-3 grid grid-cols-1 gap-x-4 gap-y-3 p-4 sm:grid-cols-2 lg:grid-cols-4">
      <FilterSelect
        isStacked
        label={say("calls.campaign")}
        value={campaign_id}
        onChange={(value) => filter({ campaign_id: value })}
        options={named(campaign_id, campaigns)}
      />
      <FilterSelect
        isStacked
        label={say("calls.agent")}
        value={bot_id}
        onChange={(value) => filter({ bot_id: value })}
        options={named(bot_id, agents)}
      />
      <FilterSelect
        isStacked
        label={say("calls.from")}
        value={from_number_id}
        onChange={(value) => filter({ from_number_id: value })}
        options={named(
          from_number_id,
          numbers.map((one) => ({ id: one.id, name: numberName(one) }))
        )}
      />
      <FilterSelect
        isStacked
        label={say("calls.end")}
        value={end_reason}
        onChange={(value) => filter({ end_reason: value })}
        options={words(ends, (value) => wordOf("end", value))}
      />
      <FilterSelect
        isStacked
        label={say("calls.answered-by")}
        value={answered_by}
        onChange={(value) => filter({ answered_by: value })}
        options={words(answers, (value) => wordOf("answered", value))}
      />
      <DayField label={say("calls.since")} value={search.since ?? ""} onChange={(since) => filter({ since })} />
      <DayField label={say("calls.until")} value={search.until ?? ""} onChange={(until) => filter({ until })} />
    </div>
  )
}

export const CallFilters = ({ filter, search }: Pick<ReturnType<typeof useFilters>, "filter" | "search">) => {
  const { outcome = "", phone = "", status = "" } = search
  const [typed, setTyped] = useTyped(phone, (text) => filter({ phone: text }))
  const inUse = further.filter((name) => search[name] !== undefined).length
  return (
    <div className="w-full">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <SearchBox label={say("calls.search")} value={typed} onChange={setTyped} />
        <FilterSelect
          label={say("calls.status")}
          value={status}
          onChange={(value) => filter({ status: value })}
          options={words(statuses, (value) => wordOf("call", value))}
        />
        <FilterSelect
          label={say("calls.outcome")}
          value={outcome}
          onChange={(value) => filter({ outcome: value })}
          options={[
            all,
            ...withChosen(
              outcome,
              settings.outcomes.map((value) => ({ value, text: value }))
            )
          ]}
        />
      </div>
      <details className="mt-2" open={inUse > 0 ? true : undefined}>
        <summary className="inline-flex min-h-6 items-center gap-1 rounded-sm text-sm font-semibold text-soft hover:text-ink">
          <Icon name="down" className="size-4 flex-none" />
          {inUse === 0 ? say("calls.more") : sayCount("calls.more-in-use", inUse)}
        </summary>
        <Further filter={filter} search={search} />
      </details>
    </div>
  )
}
