/** A button. One that cannot be used now keeps the focus and says why. */
import { type ComponentProps, type ReactNode, useId } from "react"
import { connection } from "../frame/ConnectionStatus.ts"
import { useObserved } from "../frame/Observed.ts"
import { clockTime, say } from "../frame/Say.ts"

type Look = "plain" | "primary" | "danger" | "quiet"

interface Given extends Omit<ComponentProps<"button">, "disabled" | "onClick"> {
  readonly look?: Look
  readonly isSmall?: boolean
  /** It changes something on the server: it is off while the server is away. */
  readonly writes?: boolean
  /** Why it cannot be used; null where it can. */
  readonly off?: string | null
  /** What it does is under way. */
  readonly isBusy?: boolean
  readonly onPress?: (() => void) | undefined
  readonly children: ReactNode
}

/** Why nothing can be changed now; null where it can. */
export const useWritesOff = (): string | null => {
  const status = useObserved(connection)
  return status.state === "offline" ? say("connection.writes-off", { time: clockTime(status.since) }) : null
}

export const Button = ({
  children,
  className = "",
  isBusy = false,
  isSmall = false,
  look = "plain",
  off = null,
  onPress,
  type = "button",
  writes = false,
  ...rest
}: Given) => {
  const id = useId()
  const away = useWritesOff()
  const reason = off ?? (writes ? away : null)
  const isOff = reason !== null || isBusy
  return (
    <>
      <button
        {...rest}
        type={type}
        className={`button is-${look} ${isSmall ? "is-small" : ""} ${className}`}
        aria-disabled={isOff ? true : undefined}
        aria-describedby={reason === null ? rest["aria-describedby"] : id}
        title={reason ?? undefined}
        onClick={(event) => {
          if (isOff) event.preventDefault()
          else onPress?.()
        }}
      >
        {children}
      </button>
      {reason === null ? null : (
        <span id={id} hidden>
          {reason}
        </span>
      )}
    </>
  )
}
