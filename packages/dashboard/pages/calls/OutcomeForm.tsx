/** What a call has come to: one of the installation's outcomes, and a note. */
import { useId } from "react"
import { say } from "../frame/Say.ts"
import { settings } from "../frame/Settings.ts"
import { Button } from "../parts/Button.tsx"

/** As long as the server takes them. */
const maxNote = 2000

interface Given {
  readonly outcome: string
  readonly note: string
  readonly onOutcome: (outcome: string) => void
  readonly onNote: (note: string) => void
  readonly onSave: () => void
  /** What is wrong with what was chosen; null where nothing is. */
  readonly fault: string | null
  /** Why it cannot be saved; null where it can. */
  readonly off: string | null
  readonly isBusy: boolean
  /** Digits choose, and stand beside the words. */
  readonly hasKeys?: boolean
  /** Who has noted it last, and when. */
  readonly noted?: string | null
}

export const OutcomeForm = ({
  fault,
  hasKeys = false,
  isBusy,
  note,
  noted = null,
  off,
  onNote,
  onOutcome,
  onSave,
  outcome
}: Given) => {
  const id = useId()
  // What was noted by a program, or before the outcomes were others, stays there to be seen.
  const choices =
    outcome === "" || settings.outcomes.includes(outcome) ? settings.outcomes : [...settings.outcomes, outcome]
  return (
    <form
      noValidate
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (off === null && !isBusy) onSave()
      }}
    >
      <div className="grid gap-1.5">
        <span id={`${id}o`} className="text-sm font-semibold">
          {say("outcome.heading")}
        </span>
        <div
          role="radiogroup"
          aria-labelledby={`${id}o`}
          aria-invalid={fault === null ? undefined : true}
          aria-describedby={fault === null ? undefined : `${id}f`}
          className="grid gap-1.5"
        >
          {choices.map((choice, nth) => (
            <label key={choice} className="choice">
              <input
                type="radio"
                name={id}
                value={choice}
                checked={choice === outcome}
                onChange={() => onOutcome(choice)}
                aria-keyshortcuts={hasKeys && nth < 9 ? String(nth + 1) : undefined}
              />
              <span className="flex-1 wrap-anywhere">{choice}</span>
              {hasKeys && nth < 9 ? <Key text={String(nth + 1)} /> : null}
            </label>
          ))}
        </div>
        {fault === null ? null : (
          <p id={`${id}f`} role="alert" className="text-sm font-medium text-bad">
            {fault}
          </p>
        )}
      </div>
      <div className="grid gap-1">
        <label htmlFor={`${id}n`} className="text-sm font-semibold">
          {say("outcome.note")}
        </label>
        <textarea
          id={`${id}n`}
          dir="auto"
          className="input min-h-20"
          rows={3}
          maxLength={maxNote}
          value={note}
          onChange={({ target }) => onNote(target.value)}
        />
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button type="submit" writes off={off} isBusy={isBusy}>
          {say("outcome.save")}
        </Button>
        {noted === null ? null : <span className="text-sm text-soft">{noted}</span>}
      </div>
    </form>
  )
}

/** The key beside the word of what it does: readers have it from the control itself. */
export const Key = ({ text }: { readonly text: string }) => (
  <span aria-hidden="true" className="key">
    {text}
  </span>
)
