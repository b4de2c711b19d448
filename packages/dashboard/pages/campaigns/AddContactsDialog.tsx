/** A few people for a campaign, typed or pasted: one in a line. */
import { sayResult } from "../frame/Notices.ts"
import { readAgain } from "../frame/QueryCache.ts"
import { say, sayCount } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { missing, useForm } from "../parts/FormBox.tsx"
import { FormDialog } from "../parts/FormDialog.tsx"
import { AreaField } from "../parts/FormFields.tsx"

const maxContacts = 1000

/** `+49 30 901820, Asha Rao`: the number, then the name, which may be left out. */
export const contactsOf = (text: string): ReadonlyArray<{ readonly phone: string; readonly name?: string }> =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => {
      const [phone = "", ...rest] = line.split(/[,;\t]/)
      const name = rest.join(" ").trim()
      return { phone: phone.trim(), ...(name === "" ? {} : { name }) }
    })

export const AddContactsDialog = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const form = useForm({
    initial: { contacts: "" },
    fields: { phone: "contacts" },
    check: (values) =>
      contactsOf(values.contacts).length > maxContacts
        ? { contacts: sayCount("add-contacts.too-many", maxContacts) }
        : missing(values, "contacts"),
    submit: async ({ contacts }, idempotencyKey) => {
      const { inserted, skipped_invalid } = await api.campaigns.addContacts(
        id,
        { contacts: contactsOf(contacts) },
        { idempotencyKey }
      )
      sayResult(
        skipped_invalid === 0
          ? sayCount("add-contacts.added", inserted)
          : `${sayCount("add-contacts.added", inserted)} ${sayCount("add-contacts.skipped", skipped_invalid)}`
      )
      await readAgain("campaigns", `campaign:${id}`)
      onClose()
    }
  })
  const title = say("add-contacts.heading")
  return (
    <FormDialog title={title} form={form} onClose={onClose}>
      <AreaField
        label={say("add-contacts.field")}
        hint={say("add-contacts.hint")}
        field={form.field("contacts")}
        rows={8}
      />
    </FormDialog>
  )
}
