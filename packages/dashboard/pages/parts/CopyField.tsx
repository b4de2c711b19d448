/** A text that is shown once, to be copied. */
import { useId, useRef, useState } from "react"
import { say } from "../frame/Say.ts"
import { Button } from "./Button.tsx"

const shownMs = 3000

export const CopyField = ({ label, value }: { readonly label: string; readonly value: string }) => {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isCopied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    input.current?.select()
    try {
      await navigator.clipboard.writeText(value)
    } catch {
      // The clipboard of a page without TLS, or in a frame: the text is selected, and the older way may still work.
      if (!document.execCommand("copy")) return
    }
    setCopied(true)
    setTimeout(() => setCopied(false), shownMs)
  }
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      <div className="flex gap-2">
        <input
          ref={input}
          id={id}
          readOnly
          className="input min-w-0 flex-1 font-mono text-sm"
          value={value}
          onFocus={({ target }) => target.select()}
        />
        <Button onPress={() => void copy()}>{say(isCopied ? "action.copied" : "action.copy")}</Button>
      </div>
      <span role="status" className="sr-only">
        {isCopied ? say("action.copied") : ""}
      </span>
    </div>
  )
}
