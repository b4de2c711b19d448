/** The heading of a page: it names the tab, and has the focus when the page has been opened from another one. */
import { type ReactNode, useLayoutEffect, useRef } from "react"
import { arrived } from "../frame/Arrival.ts"
import { post } from "../frame/FrameMessages.ts"
import { settings } from "../frame/Settings.ts"

interface Given {
  readonly title: string
  /** Where it is shown beside: a status, for example. */
  readonly beside?: ReactNode
  /** Buttons of the whole page. */
  readonly actions?: ReactNode
  readonly lead?: ReactNode
}

export const Heading = ({ actions, beside, lead, title }: Given) => {
  const ref = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    document.title = `${title} · ${settings.name}`
    post({ event: "title", title: document.title })
  }, [title])
  useLayoutEffect(() => {
    if (ref.current !== null) arrived(ref.current)
  }, [])
  return (
    <header className="mb-5 grid gap-1">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-3">
        <h1 ref={ref} tabIndex={-1} dir="auto" className="min-w-0 text-xl font-semibold tracking-tight wrap-anywhere">
          {title}
        </h1>
        {beside}
        {actions === undefined ? null : <div className="ms-auto flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      {lead === undefined ? null : <p className="max-w-2xl text-soft">{lead}</p>}
    </header>
  )
}
