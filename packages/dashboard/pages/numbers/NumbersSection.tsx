/** A part of the page "Numbers": its heading, what it is for, and its list. */
import { type ReactNode, useId } from "react"

export const NumbersSection = ({
  children,
  lead,
  title
}: {
  readonly title: string
  readonly lead: string
  readonly children: ReactNode
}) => {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="text-lg font-semibold">
        {title}
      </h2>
      <p className="mb-3 text-soft">{lead}</p>
      {children}
    </section>
  )
}
