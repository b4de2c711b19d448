/** One fact of a record, in a list of descriptions. */
import type { ReactNode } from "react"
import { exactMoment, moment } from "../frame/Say.ts"

export const Fact = ({
  children,
  className = "",
  label
}: {
  readonly label: string
  readonly className?: string
  readonly children: ReactNode
}) => (
  <div className={`min-w-0 ${className}`}>
    <dt className="text-sm text-soft">{label}</dt>
    <dd className="font-medium wrap-anywhere tabular-nums">{children}</dd>
  </div>
)

export const Moment = ({ iso }: { readonly iso: string | null }) =>
  iso === null ? "–" : <span title={exactMoment(iso)}>{moment(iso)}</span>
