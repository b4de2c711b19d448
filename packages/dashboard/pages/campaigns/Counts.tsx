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
  readonly value: string
  readonly note?: string | undefined
}) => (
  <div className="grid content-start gap-0.5 bg-raised px-4 py-3">
    <dt className="text-sm text-soft">{label}</dt>
    <dd className="text-xl font-semibold tabular-nums">{value}</dd>
    {note === undefined ? null : <dd className="text-xs text-soft">{note}</dd>}
  </div>
)

/** How the list is divided, for the eye: the numbers stand below. */
const Bar = ({ counts }: { readonly counts: CampaignCounts }) => {
  const { calling, done, failed } = counts.by_status
  const share = (n: number) => ({ width: counts.total === 0 ? 0 : `${(n / counts.total) * 100}%` })
  return (
    <div className="meter is-large" aria-hidden="true">
      <span className="is-good" style={share(done)} />
      <span className="is-bad" style={share(failed)} />
      <span className="is-live" style={share(calling)} />
    </div>
  )
}

export const Counts = ({ counts, id }: { readonly counts: CampaignCounts | undefined; readonly id: string }) => {
  const errors = Object.entries(counts?.by_last_error ?? {}).filter(([, n]) => n > 0)
  return (
    <section aria-labelledby="counts" className="mb-6">
      <h2 id="counts" className="mb-2 text-lg font-semibold">
        {say("counts.heading")}
      </h2>
      {counts === undefined ? (
        <span className="skeleton block h-24 rounded-lg" />
      ) : (
        <div className="panel overflow-hidden">
          <Bar counts={counts} />
          <dl className="grid grid-cols-2 gap-px bg-line sm:grid-cols-3 lg:grid-cols-6">
            <Figure label={say("counts.total")} value={number(counts.total)} />
            <Figure
              label={say("counts.waiting")}
              value={number(counts.by_status.pending + counts.by_status.approved)}
              note={sayCount("counts.due", counts.due)}
            />
            <Figure label={wordOf("contact", "calling")} value={number(counts.by_status.calling)} />
            <Figure label={wordOf("contact", "done")} value={number(counts.by_status.done)} />
            <Figure label={wordOf("contact", "failed")} value={number(counts.by_status.failed)} />
            <Figure
              label={say("counts.calls")}
              value={number(counts.calls)}
              note={sayCount("counts.answered", counts.answered)}
            />
          </dl>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-4 py-2.5 text-sm text-soft">
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
          </div>
        </div>
      )}
    </section>
  )
}
