/** A person of the address book: a new one, or changes of one. Only what has been changed is sent. */
import type { Contact, ContactChange } from "@trunkline/client"
import { say } from "../frame/Say.ts"
import { missing, useForm } from "../parts/FormBox.tsx"
import { FormDialog } from "../parts/FormDialog.tsx"
import { AreaField, CheckField, TextField } from "../parts/FormFields.tsx"

const texts = ["name", "first_name", "last_name", "email", "company", "notes"] as const

type Name = "phone" | (typeof texts)[number] | "tags" | "opted_in"

type Values = Readonly<Record<Name, string>>

const valuesOf = (contact: Contact | null): Values => ({
  phone: contact?.phone ?? "",
  name: contact?.name ?? "",
  first_name: contact?.first_name ?? "",
  last_name: contact?.last_name ?? "",
  email: contact?.email ?? "",
  company: contact?.company ?? "",
  tags: contact?.tags.join(", ") ?? "",
  notes: contact?.notes ?? "",
  opted_in: contact?.opted_in === true ? "yes" : ""
})

/** What differs from before; an empty text clears a field. */
const changeOf = (before: Values, values: Values): ContactChange => {
  const changed = (name: Name) => values[name].trim() !== before[name].trim()
  return {
    ...Object.fromEntries(texts.filter(changed).map((name) => [name, values[name].trim() || null])),
    ...(changed("tags")
      ? {
          tags: values.tags
            .split(",")
            .map((tag) => tag.trim())
            .filter((tag) => tag !== "")
        }
      : {}),
    ...(changed("opted_in") ? { opted_in: values.opted_in !== "" } : {})
  }
}

interface Given {
  /** Null for somebody new. */
  readonly contact: Contact | null
  readonly title: string
  readonly action: string
  readonly onClose: () => void
  readonly save: (phone: string, change: ContactChange, idempotencyKey: string) => Promise<void>
}

export const ContactForm = ({ action, contact, onClose, save, title }: Given) => {
  const before = valuesOf(contact)
  const form = useForm<Name>({
    initial: before,
    check: (values) => missing(values, "phone"),
    submit: (values, idempotencyKey) => save(values.phone.trim(), changeOf(before, values), idempotencyKey)
  })
  return (
    <FormDialog title={title} action={action} form={form} onClose={onClose}>
      {contact === null ? (
        <TextField
          label={say("contacts.phone")}
          hint={say("test-call.phone-hint")}
          type="tel"
          maxLength={64}
          field={form.field("phone")}
        />
      ) : null}
      <TextField label={say("contacts.name")} maxLength={255} field={form.field("name")} />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <TextField label={say("person.first-name")} maxLength={255} field={form.field("first_name")} />
        <TextField label={say("person.last-name")} maxLength={255} field={form.field("last_name")} />
        <TextField label={say("person.email")} type="email" autoComplete="off" field={form.field("email")} />
        <TextField label={say("person.company")} maxLength={255} field={form.field("company")} />
      </div>
      <TextField label={say("person.tags")} hint={say("person.tags-hint")} field={form.field("tags")} />
      <AreaField label={say("person.notes")} rows={3} field={form.field("notes")} />
      <CheckField
        label={say("person.opted-in")}
        isOn={form.values.opted_in !== ""}
        onChange={(isOn) => form.set("opted_in", isOn ? "yes" : "")}
      />
    </FormDialog>
  )
}
