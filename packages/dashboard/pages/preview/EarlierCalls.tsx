/** Calls that were approved at this desk before: how they went, and what was noted of them. */
import { Link } from "@tanstack/react-router"
import { useId } from "react"
import { callSentence } from "../calls/CallState.ts"
import { say } from "../frame/Say.ts"
import { Who } from "../parts/Who.tsx"
import type { EarlierCall } from "./DeskState.ts"
import { useOwnCall } from "./PreviewReads.ts"

const Row = ({ earlier, mayRead }: { readonly earlier: EarlierCall; readonly mayRead: boolean }) => {
  const { callId, name, outcome, phone } = earlier
  const { data: call } = useOwnCall(mayRead ? callId : null, undefined, 0)
  const noted = call?.outcome?.outcome ?? (outcome === "" ? null : outcome)
  return (
    <tr>
      <td>
        {callId === null || !mayRead ? (
          <Who name={name} phone={phone} />
        ) : (
          <Link to="/calls/$id" params={{ id: callId }} dir="auto" className="text-link inline-block min-h-6">
            {name ?? phone}
          </Link>
        )}
      </td>
      <td className="max-md:hidden">{phone}</td>
      <td>{callId === null ? say("preview.approved") : call === undefined ? "" : callSentence(call)}</td>
      <td>{noted ?? <span className="text-soft">{say("outcome.none")}</span>}</td>
    </tr>
  )
}

export const EarlierCalls = ({
  calls,
  mayRead
}: {
  readonly calls: ReadonlyArray<EarlierCall>
  readonly mayRead: boolean
}) => {
  const id = useId()
  if (calls.length === 0) return null
  return (
    <section aria-labelledby={id} className="mt-6">
      <h2 id={id} className="text-lg font-semibold">
        {say("preview.your-calls")}
      </h2>
      <p className="mb-2 text-sm text-soft">{say("preview.your-calls-lead")}</p>
      <div className="panel">
        <table aria-labelledby={id} className="plain-table">
          <thead>
            <tr>
              <th scope="col">{say("live.who")}</th>
              <th scope="col" className="max-md:hidden">
                {say("live.phone")}
              </th>
              <th scope="col">{say("live.status")}</th>
              <th scope="col">{say("outcome.heading")}</th>
            </tr>
          </thead>
          <tbody>
            {calls.map((one) => (
              <Row key={one.contactId} earlier={one} mayRead={mayRead} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
