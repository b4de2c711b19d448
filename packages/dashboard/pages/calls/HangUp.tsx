/** The button that ends a call. */
import { keepFocus } from "../frame/Arrival.ts"
import { sayResult } from "../frame/Notices.ts"
import { readAgain } from "../frame/QueryCache.ts"
import { say } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { useMay } from "../frame/SignedInPerson.ts"
import { Button } from "../parts/Button.tsx"
import { FaultAlert } from "../parts/FaultAlert.tsx"
import { useOrder } from "../parts/Order.ts"

export const HangUp = ({ callId, isSmall = false }: { readonly callId: string; readonly isSmall?: boolean }) => {
  const may = useMay("calls:write")
  const { fault, isBusy, order } = useOrder(async (idempotencyKey) => {
    await api.calls.hangUp(callId, { idempotencyKey })
    sayResult(say("call-page.hung-up"))
    keepFocus()
    await readAgain(`call:${callId}`, "calls")
  })
  if (!may) return null
  return (
    <>
      <Button look="danger" isSmall={isSmall} writes isBusy={isBusy} onPress={order}>
        {say("call-page.hang-up")}
      </Button>
      {fault === null ? null : (
        <div className="w-full">
          <FaultAlert fault={fault} />
        </div>
      )}
    </>
  )
}
