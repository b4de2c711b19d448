/** One person of the address book: what is known of them, the calls to their number, and their conversations. */
import { type UseQueryResult, useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import type { Call, Contact, Conversation, Page } from "@trunkline/client"
import { type ReactNode, useId, useState } from "react"
import { callSentence } from "../calls/CallState.ts"
import { asLeft, returning } from "../frame/Arrival.ts"
import { faultOfRead } from "../frame/FaultSentences.ts"
import { sayResult } from "../frame/Notices.ts"
import { isOpen } from "../frame/Places.ts"
import { queryClient, readAgain } from "../frame/QueryCache.ts"
import { exactMoment, moment, say } from "../frame/Say.ts"
import { api, isStatus } from "../frame/ServerRequests.ts"
import { useMay, useMe } from "../frame/SignedInPerson.ts"
import { Button } from "../parts/Button.tsx"
import { ConfirmDialog, Facts } from "../parts/ConfirmDialog.tsx"
import { FaultAlert } from "../parts/FaultAlert.tsx"
import { Heading } from "../parts/Heading.tsx"
import { Icon } from "../parts/Icons.tsx"
import { ContactForm } from "./ContactForm.tsx"
import { contactName } from "./ContactName.ts"

/** The newest; all of them are on pages of their own. */
const shown = 10

const Fact = ({ children, label }: { readonly label: string; readonly children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-sm text-soft">{label}</dt>
    <dd dir="auto" className="font-medium wrap-anywhere tabular-nums">
      {children}
    </dd>
  </div>
)

const Known = ({ contact }: { readonly contact: Contact }) => {
  const { company, created_at, custom, email, first_name, last_name, notes, opted_in, phone, tags } = contact
  const facts: ReadonlyArray<readonly [label: string, text: string | null]> = [
    [say("contacts.phone"), phone],
    [say("person.first-name"), first_name],
    [say("person.last-name"), last_name],
    [say("person.email"), email],
    [say("person.company"), company],
    [say("person.tags"), tags.length === 0 ? null : tags.join(", ")],
    [say("person.messages"), say(opted_in ? "person.agreed" : "person.not-agreed")]
  ]
  return (
    <>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 px-5 py-4 sm:grid-cols-3 lg:grid-cols-4">
        {facts.map(([label, text]) =>
          text === null || text === "" ? null : (
            <Fact key={label} label={label}>
              {text}
            </Fact>
          )
        )}
        {Object.entries(custom).map(([name, value]) => (
          <Fact key={`custom.${name}`} label={name}>
            {value}
          </Fact>
        ))}
        <Fact label={say("numbers.added")}>
          <span title={exactMoment(created_at)}>{moment(created_at)}</span>
        </Fact>
      </dl>
      <div className="grid gap-1 border-t border-line px-5 py-4">
        <h3 className="text-sm font-semibold text-soft">{say("person.notes")}</h3>
        <p dir="auto" className="whitespace-pre-line wrap-anywhere">
          {notes ?? <span className="text-soft">{say("person.no-notes")}</span>}
        </p>
      </div>
    </>
  )
}

const ConversationRow = ({
  conversation: { id, last_message, last_message_at }
}: {
  readonly conversation: Conversation
}) => (
  <tr>
    <td className="whitespace-nowrap">
      <Link
        to="/inbox/{-$id}"
        params={{ id }}
        search={{}}
        className="text-link inline-block min-h-6"
        title={exactMoment(last_message_at)}
      >
        {moment(last_message_at)}
      </Link>
    </td>
    <td className="wrap-anywhere">
      {last_message?.text ?? <span className="text-soft">{last_message?.type ?? ""}</span>}
    </td>
  </tr>
)

const CallRow = ({ call }: { readonly call: Call }) => (
  <tr>
    <td>
      <Link
        to="/calls/$id"
        params={{ id: call.id }}
        className="text-link inline-block min-h-6"
        title={exactMoment(call.created_at)}
      >
        {moment(call.created_at)}
      </Link>
    </td>
    <td>{callSentence(call)}</td>
    <td className="wrap-anywhere max-md:hidden">
      {call.outcome === null ? (
        <span className="text-soft">{say("outcome.none")}</span>
      ) : (
        [call.outcome.outcome, call.outcome.note].filter((text) => text !== null).join(": ")
      )}
    </td>
  </tr>
)

/** A section with the newest of something, in a table, and a link to all of it. */
const Newest = <Item,>({
  all,
  columns,
  empty,
  found: { data, error, refetch },
  row,
  title
}: {
  readonly title: string
  readonly found: UseQueryResult<Page<Item>>
  readonly columns: ReadonlyArray<string>
  readonly empty: string
  readonly row: (item: Item) => ReactNode
  readonly all: (n: number) => ReactNode
}) => {
  const id = useId()
  const total = data?.total ?? 0
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-2 text-lg font-semibold">
        {title}
      </h2>
      {error !== null && data === undefined ? (
        <FaultAlert fault={{ sentence: faultOfRead(error), again: () => void refetch() }} />
      ) : data === undefined ? (
        <span aria-busy="true" className="skeleton block h-24 rounded-lg" />
      ) : data.items.length === 0 ? (
        <p className="panel px-5 py-4 text-soft">{empty}</p>
      ) : (
        <div className="panel">
          <table aria-labelledby={id} className="plain-table">
            <thead>
              <tr>
                {columns.map((column, nth) => (
                  <th key={column} scope="col" className={nth === 2 ? "max-md:hidden" : ""}>
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>{data.items.map(row)}</tbody>
          </table>
        </div>
      )}
      {total > shown ? all(total) : null}
    </section>
  )
}

const Calls = ({ phone }: { readonly phone: string }) => (
  <Newest
    title={say("calls.heading")}
    found={useQuery({
      queryKey: ["calls", "of", phone],
      queryFn: ({ signal }) => api.calls.list({ phone, limit: shown }, { signal }).then((found) => found),
      meta: { topics: ["calls"] }
    })}
    columns={[say("calls.when"), say("calls.status"), say("calls.outcome")]}
    empty={say("person.no-calls")}
    row={(call) => <CallRow key={call.id} call={call} />}
    all={(n) => (
      <Link to="/calls" search={{ phone }} className="text-link mt-2 inline-block min-h-6">
        {say("person.all-calls", { n })}
      </Link>
    )}
  />
)

const Conversations = ({ phone }: { readonly phone: string }) => (
  <Newest
    title={say("person.conversations")}
    found={useQuery({
      queryKey: ["conversations", "of", phone],
      queryFn: ({ signal }) => api.conversations.list({ phone, limit: shown }, { signal }).then((found) => found),
      meta: { topics: ["conversations"] }
    })}
    columns={[say("calls.when"), say("person.last-message")]}
    empty={say("person.no-conversations")}
    row={(conversation) => <ConversationRow key={conversation.id} conversation={conversation} />}
    all={(n) => (
      <Link to="/inbox/{-$id}" params={{}} search={{ q: phone }} className="text-link mt-2 inline-block min-h-6">
        {say("person.all-conversations", { n })}
      </Link>
    )}
  />
)

const Whole = ({ contact }: { readonly contact: Contact }) => {
  const me = useMe()
  const navigate = useNavigate()
  const may = useMay("contacts:write")
  const [asked, setAsked] = useState<"edit" | "delete" | null>(null)
  const { id, phone } = contact
  const who = contactName(contact)
  const close = () => setAsked(null)
  return (
    <div className="grid grid-cols-1 gap-6">
      <div className="panel overflow-hidden">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-5 py-4">
          <h2 dir="auto" className="min-w-0 text-xl font-semibold wrap-anywhere">
            {who}
          </h2>
          {may ? (
            <span className="ms-auto flex flex-wrap gap-2">
              <Button writes onPress={() => setAsked("edit")}>
                <Icon name="edit" className="size-4 flex-none" />
                {say("person.edit")}
              </Button>
              <Button writes onPress={() => setAsked("delete")}>
                <Icon name="trash" className="size-4 flex-none" />
                {say("person.delete")}
              </Button>
            </span>
          ) : null}
        </div>
        <Known contact={contact} />
      </div>
      {isOpen("calls", me) ? <Calls phone={phone} /> : null}
      {isOpen("inbox", me) ? <Conversations phone={phone} /> : null}
      {asked === "edit" ? (
        <ContactForm
          contact={contact}
          title={say("person.edit")}
          action={say("person.save")}
          onClose={close}
          save={async (_phone, change) => {
            const saved = await api.contacts.change(id, change)
            queryClient.setQueryData(["contact", id], saved)
            sayResult(say("person.saved", { who: contactName(saved) }))
            close()
            void readAgain("contacts")
          }}
        />
      ) : asked === "delete" ? (
        <ConfirmDialog
          title={say("person.delete")}
          isDanger
          onClose={close}
          run={async () => {
            await api.contacts.remove(id)
            sayResult(say("person.deleted", { who }))
            returning()
            await navigate({ to: "/contacts" })
            void readAgain("contacts")
          }}
        >
          <Facts
            facts={[
              say("person.delete-lead", { n: 1, who }),
              say("person.delete-campaigns"),
              say("person.delete-calls")
            ]}
          />
        </ConfirmDialog>
      ) : null}
    </div>
  )
}

export const ContactPage = () => {
  const { id } = useParams({ from: "/contacts/$id" })
  const { data, error, refetch } = useQuery({
    queryKey: ["contact", id],
    queryFn: ({ signal }) => api.contacts.get(id, { signal }),
    meta: { topics: ["contacts"] }
  })
  return (
    <>
      <a
        href={`#${asLeft("/contacts")}`}
        onClick={returning}
        className="mb-2 inline-flex min-h-6 items-center gap-1 text-sm text-soft hover:text-ink"
      >
        <Icon name="back" className="size-4 flex-none" />
        {say("person.back")}
      </a>
      <Heading title={say("contacts.heading")} />
      {error !== null && (data === undefined || isStatus(error, 404)) ? (
        isStatus(error, 404) ? (
          <p className="panel px-5 py-4">{say("person.gone")}</p>
        ) : (
          <FaultAlert fault={{ sentence: faultOfRead(error), again: () => void refetch() }} />
        )
      ) : data === undefined ? (
        <span aria-busy="true" className="skeleton block h-40 rounded-lg" />
      ) : (
        <Whole key={id} contact={data} />
      )}
    </>
  )
}
