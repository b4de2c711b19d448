/** The address book: everybody of the account, newest first. */
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import type { Contact } from "@trunkline/client"
import { useState } from "react"
import { sayResult } from "../frame/Notices.ts"
import { readAgain } from "../frame/QueryCache.ts"
import { exactMoment, moment, say } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { useMay } from "../frame/SignedInPerson.ts"
import { Button } from "../parts/Button.tsx"
import { Empty } from "../parts/Empty.tsx"
import { SearchBox } from "../parts/FormFields.tsx"
import { Heading } from "../parts/Heading.tsx"
import { Icon } from "../parts/Icons.tsx"
import { numberOrWords } from "../parts/NumberSearch.ts"
import { type Column, Rows } from "../parts/RowsTable.tsx"
import { useTyped } from "../parts/Typed.ts"
import { nothing } from "../parts/Who.tsx"
import { ContactForm } from "./ContactForm.tsx"
import { contactName } from "./ContactName.ts"

const orNothing = (text: string | null) =>
  text === null || text === "" ? (
    nothing
  ) : (
    <span dir="auto" title={text}>
      {text}
    </span>
  )

const columns: ReadonlyArray<Column<Contact>> = [
  {
    title: say("contacts.name"),
    width: "minmax(0, 1.4fr)",
    cell: (contact) => (
      <span className="grid leading-5">
        <Link
          to="/contacts/$id"
          params={{ id: contact.id }}
          dir="auto"
          className="block truncate font-semibold after:absolute after:inset-0"
          title={contactName(contact)}
        >
          {contactName(contact)}
        </Link>
        <span className="truncate text-xs text-soft md:hidden">{contact.phone}</span>
      </span>
    )
  },
  { title: say("contacts.phone"), width: "minmax(9rem, 1fr)", room: 1, cell: ({ phone }) => phone },
  { title: say("person.email"), width: "minmax(0, 1.9fr)", room: 2, cell: ({ email }) => orNothing(email) },
  { title: say("person.company"), width: "minmax(0, 0.9fr)", room: 1, cell: ({ company }) => orNothing(company) },
  {
    title: say("person.tags"),
    width: "minmax(0, 0.9fr)",
    cell: ({ tags }) => orNothing(tags.join(", "))
  },
  {
    title: say("numbers.added"),
    width: "11rem",
    room: 2,
    cell: ({ created_at }) => <span title={exactMoment(created_at)}>{moment(created_at)}</span>
  }
]

export const ContactsPage = () => {
  const { q = "", tag = "" } = useSearch({ from: "/contacts" })
  const navigate = useNavigate()
  const may = useMay("contacts:write")
  const [isAdding, setAdding] = useState(false)
  const filter = (change: { readonly q?: string; readonly tag?: string }) =>
    void navigate({
      to: "/contacts",
      search: Object.fromEntries(Object.entries({ q, tag, ...change }).filter(([, value]) => value !== "")),
      replace: true
    })
  const [typed, setTyped] = useTyped(q, (text) => filter({ q: text }))
  const [typedTag, setTypedTag] = useTyped(tag, (text) => filter({ tag: text }))
  const query = { ...numberOrWords(q), ...(tag === "" ? {} : { tag }) }
  return (
    <>
      <Heading
        title={say("contacts.heading")}
        lead={say("person.lead")}
        actions={
          may ? (
            <Button look="primary" writes onPress={() => setAdding(true)}>
              <Icon name="plus" className="size-4 flex-none" />
              {say("person.add")}
            </Button>
          ) : undefined
        }
      />
      <Rows
        label={say("contacts.heading")}
        columns={columns}
        idOf={({ id }) => id}
        listKey={["contacts", q, tag]}
        topics={["contacts"]}
        pageSize={100}
        isNewestFirst
        read={(page, signal) => api.contacts.list({ ...query, ...page }, { signal }).then((found) => found)}
        tools={
          <>
            <SearchBox label={say("contacts.search")} value={typed} onChange={setTyped} />
            <SearchBox label={say("person.tag")} value={typedTag} onChange={setTypedTag} />
          </>
        }
        empty={
          q === "" && tag === "" ? (
            <Empty icon="book" title={say("person.empty")} sentence={say("person.empty-lead")} />
          ) : (
            <Empty icon="search" title={say("list.nothing-found")} sentence={say("person.nothing-found")}>
              <Button onPress={() => filter({ q: "", tag: "" })}>{say("list.clear")}</Button>
            </Empty>
          )
        }
      />
      {isAdding ? (
        <ContactForm
          contact={null}
          title={say("person.add")}
          action={say("person.add")}
          onClose={() => setAdding(false)}
          save={async (phone, change, idempotencyKey) => {
            const made = await api.contacts.create({ ...change, phone }, { idempotencyKey })
            sayResult(say("person.added", { who: contactName(made) }))
            void readAgain("contacts")
            await navigate({ to: "/contacts/$id", params: { id: made.id } })
          }}
        />
      ) : null}
    </>
  )
}
