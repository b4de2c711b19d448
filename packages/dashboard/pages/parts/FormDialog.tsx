/** A dialog with a form: its fields, "Back", and the button that does it. */
import type { ReactNode } from "react"
import { say } from "../frame/Say.ts"
import { Button } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"
import { type Form, FormBox } from "./FormBox.tsx"

export const FormDialog = <Names extends string>({
  action,
  children,
  form,
  isWide = false,
  onClose,
  title
}: {
  readonly title: string
  /** What its button does; by default what the dialog is called. */
  readonly action?: string
  readonly form: Form<Names>
  readonly isWide?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}) => (
  <Dialog title={title} onClose={onClose} isWide={isWide}>
    <FormBox form={form} className="mt-3 grid grid-cols-1 gap-4">
      {children}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onPress={onClose}>{say("action.back")}</Button>
        <Button type="submit" look="primary" writes isBusy={form.isBusy}>
          {action ?? title}
        </Button>
      </div>
    </FormBox>
  </Dialog>
)
