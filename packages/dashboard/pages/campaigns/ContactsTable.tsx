/** The table "Contacts": everybody on the list of a campaign. */
import { useNavigate, useSearch } from "@tanstack/react-router"
import type { Campaign, CampaignContact } from "@trunkline/client"
import { exactMoment, moment, number, say, wordOf } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { Badge } from "../parts/Badge.tsx"
import { Empty } from "../parts/Empty.tsx"
import { FilterSelect, SearchBox } from "../parts/FormFields.tsx"
import { type Column, Rows } from "../parts/RowsTable.tsx"
import { useTyped } from "../parts/Typed.ts"
import { nothing, Who } from "../parts/Who.tsx"

const contactStatuses = ["pending", "approved", "calling", "done", "failed"] as const

const lastErrors = [
  "busy",
  "no_answer",
  "machine",
  "invalid_number",
  "blocked_number",
  "do_not_call",
  "provider_error",
  "outcome_unknown",
  "canceled"
] as const

/** The words in the address may be any: the server refuses those that it does not know. */
type Query = NonNullable<Parameters<typeof api.campaigns.listContacts>[1]>

const columns: ReadonlyArray<Column<CampaignContact>> = [
  {
    title: say("contacts.name"),
    width: "minmax(0, 1.6fr)",
    cell: ({ name, phone }) => <Who name={name} phone={phone} />
  },
  { title: say("contacts.phone"), width: "minmax(10.5rem, 1fr)", room: 1, cell: ({ phone }) => phone },
  { title: say("contacts.status"), width: "7rem", cell: ({ status }) => <Badge kind="contact" status={status} /> },
  {
    title: say("contacts.last-error"),
    width: "minmax(0, 1fr)",
    room: 1,
    cell: ({ last_error }) => (last_error === null ? nothing : wordOf("error", last_error))
  },
  {
    title: say("contacts.attempts"),
    width: "5rem",
    isNumber: true,
    room: 2,
    cell: ({ attempts }) => number(attempts)
  },
  {
    title: say("contacts.next"),
    width: "11rem",
    room: 2,
    cell: ({ next_attempt_at }) =>
      next_attempt_at === null ? nothing : <span title={exactMoment(next_attempt_at)}>{moment(next_attempt_at)}</span>
  }
]

export const ContactsTable = ({ campaign }: { readonly campaign: Campaign }) => {
  const { last_error = "", q = "", status = "" } = useSearch({ from: "/campaigns/$id" })
  const navigate = useNavigate()
  const { id } = campaign
  const filter = (change: { readonly q?: string; readonly status?: string; readonly last_error?: string }) =>
    void navigate({
      to: "/campaigns/$id",
      params: { id },
      search: Object.fromEntries(
        Object.entries({ q, status, last_error, ...change }).filter(([, value]) => value !== "")
      ),
      replace: true
    })
  const [typed, setTyped] = useTyped(q, (text) => filter({ q: text }))
  const given = (text: string) => (text === "" ? undefined : text)
  return (
    <section aria-labelledby="contacts">
      <h2 id="contacts" className="mb-2 text-lg font-semibold">
        {say("contacts.heading")}
      </h2>
      <Rows
        label={say("contacts.heading")}
        columns={columns}
        idOf={({ id }) => id}
        listKey={["campaign", id, "contacts", q, status, last_error]}
        topics={[`campaign:${id}`]}
        pageSize={200}
        read={async (page, signal) =>
          api.campaigns.listContacts(
            id,
            { ...page, q: given(q), status: given(status), last_error: given(last_error) } as Query,
            { signal }
          )
        }
        tools={
          <>
            <SearchBox label={say("contacts.search")} value={typed} onChange={setTyped} />
            <FilterSelect
              label={say("contacts.status")}
              value={status}
              onChange={(value) => filter({ status: value })}
              options={[
                { value: "", text: say("filter.all") },
                ...contactStatuses.map((value) => ({ value, text: wordOf("contact", value) }))
              ]}
            />
            <FilterSelect
              label={say("contacts.last-error")}
              value={last_error}
              onChange={(value) => filter({ last_error: value })}
              options={[
                { value: "", text: say("filter.all") },
                ...lastErrors.map((value) => ({ value, text: wordOf("error", value) }))
              ]}
            />
          </>
        }
        empty={
          q !== "" || status !== "" || last_error !== "" ? (
            <Empty icon="search" title={say("list.nothing-found")} sentence={say("contacts.nothing-found")}>
              <button type="button" className="button" onClick={() => filter({ q: "", status: "", last_error: "" })}>
                {say("list.clear")}
              </button>
            </Empty>
          ) : (
            <Empty icon="people" title={say("contacts.empty")} sentence={say("contacts.empty-lead")} />
          )
        }
      />
    </section>
  )
}
