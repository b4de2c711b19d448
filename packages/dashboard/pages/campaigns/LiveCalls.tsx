/** The table "Live calls": calls of the campaign that are under way. */
import { Link } from "@tanstack/react-router"
import type { CampaignLive } from "@trunkline/client"
import { isOpen } from "../frame/Places.ts"
import { duration, exactMoment, say } from "../frame/Say.ts"
import { useMe } from "../frame/SignedInPerson.ts"
import { Badge } from "../parts/Badge.tsx"
import { useNow } from "../parts/PageClock.ts"
import { Who } from "../parts/Who.tsx"

const Since = ({ iso }: { readonly iso: string }) => {
  const now = useNow(1000)
  return <span title={exactMoment(iso)}>{duration(now - Date.parse(iso))}</span>
}

export const LiveCalls = ({ live }: { readonly live: CampaignLive | undefined }) => {
  const calls = live?.active_calls ?? []
  const mayOpen = isOpen("calls", useMe())
  return (
    <section aria-labelledby="live-calls" className="mb-6">
      <h2 id="live-calls" tabIndex={-1} className="mb-2 text-lg font-semibold">
        {say("live.heading")}
      </h2>
      <div className="panel">
        <table aria-labelledby="live-calls" className="plain-table">
          <thead>
            <tr>
              <th scope="col">{say("live.who")}</th>
              <th scope="col" className="max-md:hidden">
                {say("live.phone")}
              </th>
              <th scope="col">{say("live.status")}</th>
              <th scope="col" className="is-number">
                {say("live.since")}
              </th>
            </tr>
          </thead>
          <tbody>
            {calls.map(({ call_id, is_winner, name, phone, started_at, status }) => (
              <tr key={call_id}>
                <td>
                  {mayOpen ? (
                    <Link to="/calls/$id" params={{ id: call_id }} className="text-link inline-block min-h-6">
                      {name ?? phone}
                    </Link>
                  ) : (
                    <Who name={name} phone={phone} />
                  )}
                </td>
                <td className="max-md:hidden">{phone}</td>
                <td>
                  <Badge kind="call" status={status} />
                  {is_winner ? <span className="ms-2 text-sm text-soft">{say("live.winner")}</span> : null}
                </td>
                <td className="is-number">
                  <Since iso={started_at} />
                </td>
              </tr>
            ))}
            {calls.length === 0 ? (
              <tr>
                <td colSpan={4} className="text-soft">
                  {live === undefined ? <span className="skeleton h-3.5 w-40" /> : say("live.empty")}
                </td>
              </tr>
            ) : null}
          </tbody>
        </table>
      </div>
    </section>
  )
}
