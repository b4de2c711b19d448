/** The first steps: what the server finds to be done, and where the rest is done. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { Setup } from "@trunkline/client"
import { setupKey } from "../frame/Entering.ts"
import { faultOfRead } from "../frame/FaultSentences.ts"
import { isOpen, pageOf } from "../frame/Places.ts"
import { say } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { useMe } from "../frame/SignedInPerson.ts"
import { Badge } from "../parts/Badge.tsx"
import { FaultAlert } from "../parts/FaultAlert.tsx"
import { Heading } from "../parts/Heading.tsx"

/** Where each step is done. */
const pages: Readonly<Record<Setup["steps"][number]["id"], string>> = {
  carrier: "numbers",
  caller_number: "numbers",
  credits: "usage",
  agent: "agents",
  campaign: "campaigns",
  chat_number: "numbers",
  webhook: "webhooks",
  key: "keys"
}

const optional: ReadonlyArray<string> = ["chat_number", "webhook"]

export const StartPage = () => {
  const me = useMe()
  const { data, error, refetch } = useQuery({
    queryKey: setupKey,
    queryFn: ({ signal }) => api.overview.setup({ signal }),
    meta: { topics: ["account", "agents", "numbers", "campaigns", "webhooks", "keys"] }
  })
  const steps = data?.steps ?? []
  const isSimulated = steps.some(({ id, note }) => id === "carrier" && note === "simulator")
  const needed = steps.filter(({ id }) => !optional.includes(id))
  const done = needed.filter((step) => step.done).length
  return (
    <>
      <Heading
        title={say("start.heading")}
        lead={say(data?.completed === true ? "start.lead-done" : "start.lead")}
        beside={
          data === undefined ? undefined : (
            <span className="badge">{say("start.progress", { n: done, m: needed.length })}</span>
          )
        }
      />
      {error !== null && data === undefined ? (
        <FaultAlert fault={{ sentence: faultOfRead(error), again: () => void refetch() }} />
      ) : data === undefined ? (
        <div aria-busy="true" className="panel grid gap-px">
          {(["a", "b", "c", "d", "e", "f"] as const).map((key) => (
            <span key={key} className="skeleton m-4 h-8" />
          ))}
        </div>
      ) : (
        <ol aria-label={say("start.steps")} className="panel list-none divide-y divide-line overflow-hidden">
          {steps.map(({ done, id }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-4">
              <div className="grid min-w-0 flex-1 basis-64 gap-0.5">
                <p className="font-semibold">
                  {say(`step.${id}`)}
                  {optional.includes(id) ? (
                    <span className="ms-2 text-sm font-normal text-soft">{say("start.optional")}</span>
                  ) : null}
                </p>
                <p className="text-soft">
                  {isSimulated && (id === "carrier" || id === "caller_number")
                    ? say(`step.${id}-simulator`)
                    : say(`step.${id}-lead`)}
                </p>
              </div>
              <Badge kind="step" status={done ? "step_done" : "step_open"} />
              {isOpen(pages[id], me) ? (
                <Link
                  to={pageOf(pages[id])}
                  className="button is-small"
                  aria-label={say("start.open-step", { step: say(`step.${id}`) })}
                >
                  {say("start.open")}
                </Link>
              ) : (
                <span className="text-sm text-soft">{say("start.others")}</span>
              )}
            </li>
          ))}
        </ol>
      )}
    </>
  )
}
