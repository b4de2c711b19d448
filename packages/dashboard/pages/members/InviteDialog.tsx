/** Invites somebody, and shows the link by which they come in. No mail is sent: the person who invites hands the link over. */
import type { MemberLink } from "@trunkline/client"
import { readAgain } from "../frame/QueryCache.ts"
import { exactMoment, moment, say, wordOf } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { useMe } from "../frame/SignedInPerson.ts"
import { Button } from "../parts/Button.tsx"
import { CopyField } from "../parts/CopyField.tsx"
import { Dialog } from "../parts/Dialog.tsx"
import { missing, useForm } from "../parts/FormBox.tsx"
import { FormDialog } from "../parts/FormDialog.tsx"
import { SelectField, TextField } from "../parts/FormFields.tsx"
import { rolesFor } from "./MemberChoices.ts"

export interface NewLink {
  readonly email: string
  readonly url: string
  readonly expiresAt: string
  readonly purpose: MemberLink["purpose"]
}

export const InviteDialog = ({
  onClose,
  onInvited
}: {
  readonly onClose: () => void
  readonly onInvited: (made: NewLink) => void
}) => {
  const me = useMe()
  const form = useForm({
    initial: { email: "", role: "member" },
    check: (values) => missing(values, "email"),
    submit: async ({ email, role }, idempotencyKey) => {
      const made = await api.members.invite({ email: email.trim(), role: role as "member" }, { idempotencyKey })
      onInvited({ email: made.email, url: made.link, expiresAt: made.link_expires_at, purpose: "invitation" })
      void readAgain("members")
    }
  })
  return (
    <FormDialog title={say("members.invite")} form={form} onClose={onClose}>
      <TextField label={say("field.email")} type="email" autoComplete="off" field={form.field("email")} />
      <SelectField
        label={say("members.role")}
        field={form.field("role")}
        hint={say(`members.role-hint.${form.values.role as "member"}`)}
        options={rolesFor(me.role).map((value) => ({ value, text: wordOf("role", value) }))}
      />
    </FormDialog>
  )
}

export const InvitationLink = ({ made, onClose }: { readonly made: NewLink; readonly onClose: () => void }) => (
  <Dialog title={say("members.link-heading")} onClose={onClose}>
    <div className="mt-3 grid gap-4">
      <p className="text-soft">
        {say(made.purpose === "invitation" ? "members.link-lead" : "members.reset-lead", { who: made.email })}
      </p>
      <CopyField label={say("members.link")} value={made.url} />
      <p className="text-sm text-soft" title={exactMoment(made.expiresAt)}>
        {say("link.until", { time: moment(made.expiresAt) })}
      </p>
    </div>
    <div className="mt-6 flex justify-end">
      <Button look="primary" onPress={onClose}>
        {say("action.done")}
      </Button>
    </div>
  </Dialog>
)
