/** A list without rows: what it is for, and what to do next. */
import type { ReactNode } from "react"
import { Icon, type IconName } from "./Icons.tsx"

export const Empty = ({
  children,
  icon,
  sentence,
  title
}: {
  readonly icon: IconName
  readonly title: string
  readonly sentence: string
  readonly children?: ReactNode
}) => (
  <div className="grid justify-items-center gap-2 px-6 py-12 text-center">
    <span className="grid size-11 place-items-center rounded-full bg-calm-sheet text-calm">
      <Icon name={icon} className="size-5.5" />
    </span>
    <p className="mt-1 text-lg font-semibold">{title}</p>
    <p className="max-w-md text-soft">{sentence}</p>
    {children === undefined ? null : <div className="mt-3 flex flex-wrap justify-center gap-2">{children}</div>}
  </div>
)
