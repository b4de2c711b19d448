/** Fields of a form: a label, what may be said about it, and what is wrong with it. */
import { type ReactNode, useId } from "react"

export interface FieldState {
  /** What the summary of faults calls it: its label, once it has been drawn. */
  readonly named: (label: string) => void
  readonly value: string
  readonly onChange: (value: string) => void
  /** The field's id: what the summary of faults links to. */
  readonly id: string
  /** What is wrong with it; null where nothing is. */
  readonly fault: string | null
}

interface Around {
  readonly label: string
  readonly hint?: ReactNode
  readonly field: FieldState
  readonly children: (attributes: {
    readonly id: string
    readonly value: string
    readonly "aria-invalid": true | undefined
    readonly "aria-describedby": string | undefined
    readonly className: string
  }) => ReactNode
}

const Labelled = ({ children, field, hint, label }: Around) => {
  const about = useId()
  field.named(label)
  const [hintId, faultId] = [`${about}h`, `${about}f`]
  const described = [hint === undefined ? [] : hintId, field.fault === null ? [] : faultId].flat().join(" ")
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={field.id} className="text-sm font-semibold">
        {label}
      </label>
      {children({
        id: field.id,
        value: field.value,
        "aria-invalid": field.fault === null ? undefined : true,
        "aria-describedby": described === "" ? undefined : described,
        className: "input"
      })}
      {hint === undefined ? null : (
        <p id={hintId} className="text-sm text-soft">
          {hint}
        </p>
      )}
      {field.fault === null ? null : (
        <p id={faultId} className="text-sm font-medium text-bad">
          {field.fault}
        </p>
      )}
    </div>
  )
}

export const TextField = ({
  field,
  hint,
  label,
  ...rest
}: {
  readonly label: string
  readonly field: FieldState
  readonly hint?: ReactNode
  readonly type?: "text" | "email" | "password" | "number" | "tel" | "datetime-local"
  readonly autoComplete?: string
  readonly readOnly?: boolean
  readonly required?: boolean
  readonly min?: number
  readonly max?: number
  readonly maxLength?: number
  readonly inputMode?: "numeric" | "email"
}) => (
  <Labelled label={label} field={field} hint={hint}>
    {(attributes) => (
      <input {...rest} {...attributes} onChange={({ target }) => field.onChange(target.value)} spellCheck={false} />
    )}
  </Labelled>
)

export const AreaField = ({
  field,
  hint,
  label,
  onEnter,
  rows = 6
}: {
  readonly label: string
  readonly field: FieldState
  readonly hint?: ReactNode
  readonly rows?: number
  /** Enter does this; with Shift it begins another line. */
  readonly onEnter?: () => void
}) => (
  <Labelled label={label} field={field} hint={hint}>
    {(attributes) => (
      <textarea
        {...attributes}
        rows={rows}
        onChange={({ target }) => field.onChange(target.value)}
        onKeyDown={(event) => {
          if (onEnter === undefined || event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          onEnter()
        }}
      />
    )}
  </Labelled>
)

export interface Option {
  readonly value: string
  readonly text: string
}

export const SelectField = ({
  field,
  hint,
  label,
  options
}: {
  readonly label: string
  readonly field: FieldState
  readonly hint?: ReactNode
  readonly options: ReadonlyArray<Option>
}) => (
  <Labelled label={label} field={field} hint={hint}>
    {(attributes) => (
      <select {...attributes} onChange={({ target }) => field.onChange(target.value)}>
        {options.map(({ text, value }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Labelled>
)

export const CheckField = ({
  hint,
  isOn,
  label,
  onChange,
  value
}: {
  readonly label: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly hint?: ReactNode
  /** The word of the API that it stands for. */
  readonly value?: string
}) => (
  <label className="flex items-start gap-2.5 py-1">
    <input
      type="checkbox"
      className="check"
      value={value}
      checked={isOn}
      onChange={({ target }) => onChange(target.checked)}
    />
    <span className="grid">
      <span className="font-medium">{label}</span>
      {hint === undefined ? null : <span className="text-sm text-soft">{hint}</span>}
    </span>
  </label>
)

/** What holds at once, and is kept without a button. */
export const SwitchField = ({
  hint,
  isOn,
  label,
  off = null,
  onChange
}: {
  readonly label: string
  /** What it does, for those who ask. */
  readonly hint?: string
  readonly isOn: boolean
  /** Why it cannot be switched; null where it can. */
  readonly off?: string | null
  readonly onChange: (isOn: boolean) => void
}) => {
  const id = useId()
  const about = off ?? hint
  return (
    <span className="inline-flex items-center gap-2" title={about}>
      <input
        id={id}
        type="checkbox"
        role="switch"
        className="switch"
        checked={isOn}
        aria-checked={isOn}
        aria-disabled={off === null ? undefined : true}
        aria-describedby={about === undefined ? undefined : `${id}h`}
        onChange={({ target }) => off === null && onChange(target.checked)}
      />
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {about === undefined ? null : (
        <span id={`${id}h`} hidden>
          {about}
        </span>
      )}
    </span>
  )
}

/** A search field: what is typed is looked for a moment later. */
export const SearchBox = ({
  label,
  onChange,
  value
}: {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}) => (
  <input
    type="search"
    aria-label={label}
    placeholder={label}
    maxLength={100}
    className="input max-w-72"
    value={value}
    onChange={({ target }) => onChange(target.value)}
  />
)

/** A filter: its words are the API's. */
export const FilterSelect = ({
  isStacked = false,
  label,
  onChange,
  options,
  value
}: {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly options: ReadonlyArray<Option>
  /** Its label stands above it. */
  readonly isStacked?: boolean
}) => (
  <label
    className={isStacked ? "grid min-w-0 max-w-full grid-cols-1 gap-1" : "flex min-w-0 max-w-full items-center gap-2"}
  >
    <span className="whitespace-nowrap text-sm font-semibold text-soft">{label}</span>
    <select
      className={`input min-w-0 ${isStacked ? "" : "w-auto"}`}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.text}
        </option>
      ))}
    </select>
  </label>
)
