/** A dialog that says in numbers what will happen, and does it by the button of its own name. */
import type { ReactNode } from "react"
import { say } from "../frame/Say.ts"
import { Button } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"
import { FaultAlert } from "./FaultAlert.tsx"
import { useOrder } from "./Order.ts"

export const ConfirmDialog = ({
  children,
  isDanger = false,
  onClose,
  off = null,
  run,
  title
}: {
  readonly title: string
  readonly isDanger?: boolean
  readonly off?: string | null
  readonly onClose: () => void
  readonly run: (idempotencyKey: string) => Promise<void>
  readonly children: ReactNode
}) => {
  const { fault, isBusy, order } = useOrder(async (key) => {
    await run(key)
    onClose()
  })
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="mt-3 grid gap-3">
        {children}
        {fault === null ? null : <FaultAlert fault={fault} />}
      </div>
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        <Button onPress={onClose}>{say("action.back")}</Button>
        <Button look={isDanger ? "danger" : "primary"} writes off={off} isBusy={isBusy} onPress={order}>
          {title}
        </Button>
      </div>
    </Dialog>
  )
}

export const Facts = ({ facts }: { readonly facts: ReadonlyArray<string | null> }) => (
  <ul className="grid list-disc gap-1 ps-5 text-soft">
    {facts
      .filter((fact) => fact !== null)
      .map((fact) => (
        <li key={fact}>{fact}</li>
      ))}
  </ul>
)
