/** One order of a person: pressed twice it is one, and after a lost answer it is sent again as the same. */
import { useState } from "react"
import { faultOfWrite } from "../frame/FaultSentences.ts"
import type { Fault } from "../frame/Notices.ts"
import { isUnknown, newKey } from "../frame/ServerRequests.ts"

export const useOrder = (run: (idempotencyKey: string) => Promise<void>) => {
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault | null>(null)
  const [key, setKey] = useState(newKey)
  const order = (): void => {
    if (isBusy) return
    setBusy(true)
    setFault(null)
    run(key)
      .then(
        () => setKey(newKey()),
        (error: unknown) => {
          if (!isUnknown(error)) setKey(newKey())
          setFault(faultOfWrite(error, order))
        }
      )
      .finally(() => setBusy(false))
  }
  return { isBusy, fault, order }
}
