/** The region "Counts": how far the list has come, and why people were not reached. */
import { Link } from "@tanstack/react-router"
import type { CampaignCounts } from "@trunkline/client"
import { exactMoment, moment, number, say, sayCount, wordOf } from "../frame/Say.ts"

const Figure = ({
  label,
  value,
  note
}: {
  readonly label: string
  /** Undefined while it is being read: then its place is kept. */
  readonly value: number | undefined
  readonly note?: string | undefined
}) => (
  <div className="grid content-start gap-0.5 bg-raised px-4 py-3">
    <dt className="text-sm text-soft">{label}</dt>
    <dd className="min-h-7 text-xl font-semibold tabular-nums">
      {value === undefined ? <span className="skeleton mt-2 h-4 w-12" /> : number(value)}
    </dd>
    {note === undefined ? null : <dd className="min-h-8 text-xs text-soft">{note}</dd>}
  </div>
)

/** How the list is divided, for the eye: the numbers stand below. */
const Bar = ({ counts }: { readonly counts: CampaignCounts | undefined }) => {
  const { calling = 0, done = 0, failed = 0 } = counts?.by_status ?? {}
  const total = counts?.total ?? 0
  const share = (n: number) => ({ width: total === 0 ? 0 : `${(n / total) * 100}%` })
  return (
    <div className="meter is-large" aria-hidden="true">
      <span className="is-good" style={share(done)} />
      <span className="is-bad" style={share(failed)} />
      <span className="is-live" style={share(calling)} />
    </div>
  )
}

/** When somebody is called next, and why people were not reached. */
const Reasons = ({ counts, id }: { readonly counts: CampaignCounts; readonly id: string }) => {
  const errors = Object.entries(counts.by_last_error).filter(([, n]) => n > 0)
  return (
    <>
      {counts.next_attempt_at === null ? null : (
        <span title={exactMoment(counts.next_attempt_at)}>
          {say("counts.next", { time: moment(counts.next_attempt_at) })}
        </span>
      )}
      {errors.length === 0 ? (
        <span>{say("counts.no-errors")}</span>
      ) : (
        <ul className="flex flex-wrap gap-x-4 gap-y-1" aria-label={say("counts.errors")}>
          {errors.map(([error, n]) => (
            <li key={error}>
              <Link
                to="/campaigns/$id"
                params={{ id }}
                search={{ last_error: error }}
                replace
                className="text-link inline-block min-h-6"
              >
                {say("counts.error", { error: wordOf("error", error), n })}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

export const Counts = ({ counts, id }: { readonly counts: CampaignCounts | undefined; readonly id: string }) => {
  const of = counts?.by_status
  return (
    <section aria-labelledby="counts" aria-busy={counts === undefined} className="mb-6">
      <h2 id="counts" className="mb-2 text-lg font-semibold">
        {say("counts.heading")}
      </h2>
      <div className="panel overflow-hidden">
        <Bar counts={counts} />
        <dl className="grid grid-cols-2 gap-px bg-line sm:grid-cols-3 lg:grid-cols-6">
          <Figure label={say("counts.total")} value={counts?.total} />
          <Figure
            label={say("counts.waiting")}
            value={of && of.pending + of.approved}
            note={counts === undefined ? "" : sayCount("counts.due", counts.due)}
          />
          <Figure label={wordOf("contact", "calling")} value={of?.calling} />
          <Figure label={wordOf("contact", "done")} value={of?.done} />
          <Figure label={wordOf("contact", "failed")} value={of?.failed} />
          <Figure
            label={say("counts.calls")}
            value={counts?.calls}
            note={counts === undefined ? "" : sayCount("counts.answered", counts.answered)}
          />
        </dl>
        <div className="flex min-h-[2.8125rem] flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-4 py-2.5 text-sm text-soft">
          {counts === undefined ? <span className="skeleton h-3.5 w-56" /> : <Reasons counts={counts} id={id} />}
        </div>
      </div>
    </section>
  )
}
