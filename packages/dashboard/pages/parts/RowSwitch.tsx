/** What is changed at once, without a dialog: its fault stands above the page. */
import { useState } from "react"
import { faultOfWrite } from "../frame/FaultSentences.ts"
import { fault } from "../frame/Notices.ts"
import { readAgain } from "../frame/QueryCache.ts"
import { useWritesOff } from "./Button.tsx"

export const changeAtOnce = (topic: string, run: () => Promise<void>): Promise<void> => {
  fault.set(null)
  return run()
    .catch((error: unknown) => fault.set(faultOfWrite(error, () => void changeAtOnce(topic, run))))
    .then(() => readAgain(topic))
}

/** A switch in a row: it stands as it was chosen until the list has been read again. */
export const RowSwitch = ({
  isOn,
  name,
  off = null,
  run,
  topic
}: {
  readonly name: string
  readonly isOn: boolean
  /** Why it cannot be switched; null where it can. */
  readonly off?: string | null
  readonly topic: string
  readonly run: (isOn: boolean) => Promise<void>
}) => {
  const away = useWritesOff()
  const [chosen, setChosen] = useState<boolean | null>(null)
  const reason = off ?? away
  const shown = chosen ?? isOn
  return (
    <input
      type="checkbox"
      role="switch"
      className="switch align-middle"
      aria-label={name}
      checked={shown}
      aria-checked={shown}
      aria-disabled={reason === null ? undefined : true}
      title={reason ?? undefined}
      onChange={({ target }) => {
        if (reason !== null) return
        const next = target.checked
        setChosen(next)
        void changeAtOnce(topic, () => run(next)).finally(() => setChosen(null))
      }}
    />
  )
}
