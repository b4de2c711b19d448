/** A day of the browser's zone, as a filter has it. */
import { useId } from "react"

/** The first instant of a day, or of one some days later; a text that is an instant already stays one. */
export const instantOf = (day: string | undefined, plusDays: number): string | undefined => {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? "") ?? []
  return year === undefined ? day : new Date(Number(year), Number(month) - 1, Number(date) + plusDays).toISOString()
}

export const DayField = ({
  label,
  onChange,
  value
}: {
  readonly label: string
  readonly value: string
  readonly onChange: (day: string) => void
}) => {
  const id = useId()
  return (
    <span className="grid min-w-0 grid-cols-1 gap-1">
      <label htmlFor={id} className="whitespace-nowrap text-sm font-semibold text-soft">
        {label}
      </label>
      <input
        id={id}
        type="date"
        className="input min-w-0"
        value={value.slice(0, 10)}
        onChange={({ target }) => onChange(target.value)}
      />
    </span>
  )
}
