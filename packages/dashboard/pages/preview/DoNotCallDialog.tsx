/** The dialog "Do not call": what it will do, and why it is done. */
import { say } from "../frame/Say.ts"
import { Button } from "../parts/Button.tsx"
import { Dialog } from "../parts/Dialog.tsx"
import { FormBox, useForm } from "../parts/FormBox.tsx"
import { TextField } from "../parts/FormFields.tsx"

interface Given {
  readonly phone: string
  /** The contact has not been approved, and is over with it. */
  readonly isWaiting: boolean
  readonly onClose: () => void
  readonly suppress: (reason: string, idempotencyKey: string) => Promise<void>
}

/** As long as the server takes it. */
const maxReason = 500

export const DoNotCallDialog = ({ isWaiting, onClose, phone, suppress }: Given) => {
  const title = say("preview.do-not-call")
  const form = useForm({
    initial: { reason: say("preview.dnc-standard") },
    submit: async ({ reason }, idempotencyKey) => {
      await suppress(reason, idempotencyKey)
      onClose()
    }
  })
  return (
    <Dialog title={title} onClose={onClose}>
      <FormBox form={form} className="mt-3 grid gap-4">
        <p>{isWaiting ? say("preview.dnc-skip", { n: 1, m: 1, phone }) : say("preview.dnc-add", { n: 1, phone })}</p>
        <TextField label={say("preview.dnc-reason")} maxLength={maxReason} field={form.field("reason")} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onPress={onClose}>{say("action.back")}</Button>
          <Button type="submit" look="danger" writes isBusy={form.isBusy}>
            {title}
          </Button>
        </div>
      </FormBox>
    </Dialog>
  )
}
