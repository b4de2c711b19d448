/** A dialog of the platform's: it keeps the focus, Escape leaves it, and the focus returns to what opened it. */

import { type ReactNode, useEffect, useId, useRef } from "react"
import { keepFocus } from "../frame/Arrival.ts"

interface Given {
  readonly title: string
  readonly onClose: () => void
  /** It stays until what it asks for is done. */
  readonly mustStay?: boolean
  /** There is a table in it. */
  readonly isWide?: boolean
  readonly children: ReactNode
}

export const Dialog = ({ children, isWide = false, mustStay = false, onClose, title }: Given) => {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const opener = document.activeElement
    const dialog = ref.current
    if (dialog === null) return
    dialog.showModal()
    // The first field is where people begin; without one, the heading says what this is about.
    const first =
      dialog.querySelector<HTMLElement>("input:not([readonly]), select, textarea") ?? dialog.querySelector("h2")
    first?.focus()
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
      // The button of a move that has been made is there no longer.
      keepFocus()
    }
  }, [])
  return (
    <dialog
      ref={ref}
      className={isWide ? "dialog is-wide" : "dialog"}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        if (!mustStay) onClose()
      }}
      // The browser closes it by itself when Escape is pressed again.
      onClose={() => (mustStay ? ref.current?.showModal() : onClose())}
    >
      <h2 id={id} tabIndex={-1} className="text-lg font-semibold">
        {title}
      </h2>
      {children}
    </dialog>
  )
}
