/** Puts one number on the do-not-call list. */
import { sayResult } from "../frame/Notices.ts"
import { queryClient, readAgain } from "../frame/QueryCache.ts"
import { say } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { FieldFaults, missing, useForm } from "../parts/FormBox.tsx"
import { FormDialog } from "../parts/FormDialog.tsx"
import { TextField } from "../parts/FormFields.tsx"

/** As long as the server takes it. */
export const maxReason = 500

export const AddNumberDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const title = say("dnc.add")
  const form = useForm({
    initial: { phone: "", reason: "" },
    check: (values) => missing(values, "phone"),
    submit: async (values, idempotencyKey) => {
      const phone = values.phone.trim()
      const reason = values.reason.trim()
      const { added, skipped_invalid } = await api.suppression.add(
        { entries: [{ phone, reason: reason === "" ? null : reason }] },
        { idempotencyKey }
      )
      if (skipped_invalid > 0) throw new FieldFaults({ phone: say("dnc.unusable") })
      sayResult(say(added > 0 ? "dnc.added" : "dnc.there-already", { phone }))
      onClose()
      await queryClient.resetQueries({ queryKey: ["do-not-call"] })
      void readAgain("suppression")
    }
  })
  return (
    <FormDialog title={title} form={form} onClose={onClose}>
      <p className="text-soft">{say("dnc.add-lead")}</p>
      <TextField
        label={say("dnc.phone")}
        hint={say("test-call.phone-hint")}
        type="tel"
        maxLength={64}
        field={form.field("phone")}
      />
      <TextField
        label={say("dnc.reason")}
        hint={say("dnc.reason-hint")}
        maxLength={maxReason}
        field={form.field("reason")}
      />
    </FormDialog>
  )
}
