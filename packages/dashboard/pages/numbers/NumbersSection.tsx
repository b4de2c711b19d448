/** A part of the page "Numbers": its heading, what it is for, and its list. */
import { type ReactNode, useId } from "react"
import { faultOfWrite } from "../frame/FaultSentences.ts"
import { fault } from "../frame/Notices.ts"
import { readAgain } from "../frame/QueryCache.ts"

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

/** A change that is made at once, by a switch or a choice. Its fault stands above the page. */
export const changeAtOnce = (run: () => Promise<void>): Promise<void> => {
  fault.set(null)
  return run()
    .catch((error: unknown) => fault.set(faultOfWrite(error, () => void changeAtOnce(run))))
    .then(() => readAgain("numbers"))
}
