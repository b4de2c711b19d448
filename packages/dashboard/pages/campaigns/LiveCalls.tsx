/** The table "Live calls": calls of the campaign that are under way. */
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { isOpen } from "../frame/Places.ts"
import { duration, exactMoment, say } from "../frame/Say.ts"
import { useMe } from "../frame/SignedInPerson.ts"
import { Badge } from "../parts/Badge.tsx"
import { useNow } from "../parts/PageClock.ts"
import { Who } from "../parts/Who.tsx"
import type { Seen } from "./CampaignReads.ts"

const Since = ({ iso }: { readonly iso: string }) => {
  const now = useNow(1000)
  return <span title={exactMoment(iso)}>{duration(now - Date.parse(iso))}</span>
}

/** Calls that come and go must not move what stands below them: there is room for every line, and for the most calls so far. */
const useRoomFor = ({ campaign, live }: Seen, calls: number): { readonly minHeight: string } => {
  const [most, setMost] = useState(1)
  if (calls > most) setMost(calls)
  const isRunning = (live?.status ?? campaign.status) === "running"
  const lines = isRunning && campaign.dial_mode === "parallel" ? campaign.parallel_lines : 1
  return { minHeight: `calc(2.5rem + ${Math.max(lines, most)} * 2.5625rem)` }
}

export const LiveCalls = ({ seen }: { readonly seen: Seen }) => {
  const { live } = seen
  const calls = live?.active_calls ?? []
  const room = useRoomFor(seen, calls.length)
  const mayOpen = isOpen("calls", useMe())
  return (
    <section aria-labelledby="live-calls" className="mb-6">
      <h2 id="live-calls" tabIndex={-1} className="mb-2 text-lg font-semibold">
        {say("live.heading")}
      </h2>
      <div className="panel" style={room}>
        <table aria-labelledby="live-calls" className="plain-table table-fixed">
          <thead>
            <tr>
              <th scope="col">{say("live.who")}</th>
              <th scope="col" className="w-[24%] max-md:hidden">
                {say("live.phone")}
              </th>
              <th scope="col" className="w-[30%] max-md:w-[42%]">
                {say("live.status")}
              </th>
              <th scope="col" className="is-number w-[14%] max-md:w-[24%]">
                {say("live.since")}
              </th>
            </tr>
          </thead>
          <tbody>
            {calls.map(({ call_id, is_winner, name, phone, started_at, status }) => (
              <tr key={call_id}>
                <td>
                  {mayOpen ? (
                    <Link
                      to="/calls/$id"
                      params={{ id: call_id }}
                      dir="auto"
                      className="text-link block min-h-6 truncate"
                    >
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
