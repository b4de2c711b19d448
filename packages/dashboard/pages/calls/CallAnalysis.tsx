/** The region "Analysis": what a model has found out about the conversation. Its texts are text. */
import type { CallDetails } from "@trunkline/client"
import type { ReactNode } from "react"
import { number, say, wordOf } from "../frame/Say.ts"

type Analysis = NonNullable<CallDetails["analysis"]>

const textOf = (value: unknown): string | null =>
  value === null || value === undefined || value === ""
    ? null
    : typeof value === "number"
      ? number(value)
      : typeof value === "object"
        ? JSON.stringify(value)
        : String(value)

const Fact = ({ children, label }: { readonly label: string; readonly children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-sm text-soft wrap-anywhere">{label}</dt>
    <dd dir="auto" className="font-medium whitespace-pre-line wrap-anywhere">
      {children}
    </dd>
  </div>
)

const resultsOf = ({ results }: Analysis): ReadonlyArray<readonly [string, unknown]> =>
  typeof results === "object" && results !== null ? Object.entries(results) : []

const Found = ({ analysis }: { readonly analysis: Analysis }) => {
  const [summary, outcome, score] = [analysis.summary, analysis.outcome, analysis.score].map(textOf)
  return (
    <>
      {summary === null || summary === undefined ? null : (
        <p dir="auto" className="whitespace-pre-line wrap-anywhere">
          {summary}
        </p>
      )}
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2">
        {outcome == null ? null : <Fact label={say("call-page.agent-outcome")}>{outcome}</Fact>}
        {typeof analysis.sentiment === "string" ? (
          <Fact label={say("call-page.sentiment")}>{wordOf("sentiment", analysis.sentiment)}</Fact>
        ) : null}
        {score == null ? null : <Fact label={say("call-page.score")}>{score}</Fact>}
        {resultsOf(analysis).map(([name, value]) => (
          <Fact key={name} label={name}>
            {textOf(value) ?? "–"}
          </Fact>
        ))}
      </dl>
    </>
  )
}

export const CallAnalysis = ({ call: { analysis } }: { readonly call: CallDetails }) => (
  <section aria-label={say("call-page.analysis")} className="panel grid gap-3 p-5">
    <h3 className="font-semibold">{say("call-page.analysis")}</h3>
    {analysis === null ? (
      <p className="text-soft">{say("call-page.analysis-none")}</p>
    ) : analysis.status === "pending" ? (
      <p className="text-soft">{say("call-page.analysis-pending")}</p>
    ) : analysis.status === "failed" ? (
      <p className="wrap-anywhere">{say("call-page.analysis-failed", { error: textOf(analysis.error) ?? "–" })}</p>
    ) : (
      <Found analysis={analysis} />
    )}
  </section>
)
