/** What the plan has, and what was used of it in the month. */
import { useQuery } from "@tanstack/react-query"
import type { PlanUsage } from "@trunkline/client"
import { faultOfRead } from "../frame/FaultSentences.ts"
import { locale, number, say, wordOf } from "../frame/Say.ts"
import { isStatus } from "../frame/ServerRequests.ts"
import { FaultAlert } from "../parts/FaultAlert.tsx"
import { nothing } from "../parts/Who.tsx"
import { usage } from "./UsageReads.ts"

type Name = keyof PlanUsage["counters"]

const months = new Intl.DateTimeFormat(locale, { month: "long", year: "numeric", timeZone: "UTC" })
const [megabytes, gigabytes] = (["megabyte", "gigabyte"] as const).map(
  (unit) => new Intl.NumberFormat(locale, { style: "unit", unit, maximumFractionDigits: 1 })
)

const amountOf = (name: Name, value: number): string =>
  name !== "storage_bytes"
    ? number(value)
    : value < 1e9
      ? megabytes!.format(value / 1e6)
      : gigabytes!.format(value / 1e9)

const Row = ({
  counter: { limit, used },
  name
}: {
  readonly name: Name
  readonly counter: PlanUsage["counters"][Name]
}) => {
  const part = limit === null || used === null || limit === 0 ? null : Math.min(1, used / limit)
  return (
    <tr>
      <th scope="row" className="plan-name">
        {wordOf("plan-counter", name)}
        {part === null ? null : (
          <span aria-hidden="true" className="meter mt-1.5">
            <span className={part < 1 ? "is-live" : "is-bad"} style={{ width: `${part * 100}%` }} />
          </span>
        )}
      </th>
      <td className="is-number">{used === null ? nothing : amountOf(name, used)}</td>
      <td className="is-number">{limit === null ? say("plan.unlimited") : amountOf(name, limit)}</td>
    </tr>
  )
}

export const PlanSection = () => {
  const { data, error, refetch } = useQuery({
    queryKey: ["plan"],
    queryFn: ({ signal }) => usage.plan({ signal }),
    meta: { topics: ["account", "members"] }
  })
  return (
    <section aria-labelledby="plan" className="grid grid-cols-1 gap-4">
      <h2 id="plan" className="text-lg font-semibold">
        {data === undefined
          ? say("plan.heading")
          : say("plan.of-month", { plan: wordOf("plan", data.plan), month: months.format(new Date(data.period.from)) })}
      </h2>
      {data !== undefined ? (
        <div className="panel overflow-hidden">
          <table className="plain-table" aria-label={say("plan.heading")}>
            <thead>
              <tr>
                <th scope="col">{say("plan.counter")}</th>
                <th scope="col" className="is-number">
                  {say("plan.used")}
                </th>
                <th scope="col" className="is-number">
                  {say("plan.limit")}
                </th>
              </tr>
            </thead>
            <tbody>
              {(Object.entries(data.counters) as Array<[Name, PlanUsage["counters"][Name]]>).map(([name, counter]) => (
                <Row key={name} name={name} counter={counter} />
              ))}
            </tbody>
          </table>
        </div>
      ) : error !== null && !isStatus(error, 401) ? (
        <FaultAlert fault={{ sentence: faultOfRead(error), again: () => void refetch() }} />
      ) : (
        <span className="skeleton h-72 rounded-lg" />
      )}
    </section>
  )
}
