/** The region "Transcript": what was said, as text, and what the agent has done. */
import type { TranscriptEntry } from "@trunkline/client"
import { faultOfRead } from "../frame/FaultSentences.ts"
import { duration, exactMoment, say } from "../frame/Say.ts"
import { isStatus } from "../frame/ServerRequests.ts"
import { FaultAlert } from "../parts/FaultAlert.tsx"
import { useTranscript } from "./CallReads.ts"

const At = ({ entry }: { readonly entry: TranscriptEntry }) => (
  <time dateTime={entry.started_at} title={exactMoment(entry.started_at)} className="text-xs text-soft tabular-nums">
    {duration(entry.offset_ms)}
  </time>
)

/** JSON is laid out; any other text stands as it is. */
const laidOut = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const ToolEntry = ({ entry }: { readonly entry: TranscriptEntry }) => {
  const tool = entry.tool
  if (tool === null) return null
  return (
    <li className="px-5 py-2.5">
      <details>
        <summary className="text-sm text-soft hover:text-ink">
          <At entry={entry} /> <span className="font-medium">{say("call-page.tool", { name: tool.name })}</span>
        </summary>
        <pre className="mt-2 overflow-x-auto rounded-md bg-sheet p-3 text-xs whitespace-pre-wrap wrap-anywhere">
          {laidOut(tool.arguments)}
          {"\n→ "}
          {tool.result === null ? say("call-page.tool-runs") : laidOut(tool.result)}
        </pre>
      </details>
    </li>
  )
}

const SpokenEntry = ({ entry }: { readonly entry: TranscriptEntry }) => (
  <li className={`grid gap-0.5 px-5 py-2.5 ${entry.role === "assistant" ? "bg-sheet" : ""}`}>
    <p className="flex flex-wrap items-baseline gap-x-2">
      <span className="text-sm font-semibold">
        {say(entry.role === "assistant" ? "call-page.agent" : "call-page.caller")}
      </span>
      <At entry={entry} />
      {entry.interrupted ? <span className="text-xs text-soft">{say("call-page.interrupted")}</span> : null}
    </p>
    <p dir="auto" className="whitespace-pre-line wrap-anywhere">
      {entry.text}
    </p>
  </li>
)

export const CallTranscript = ({ id, isLive }: { readonly id: string; readonly isLive: boolean }) => {
  const { data, error, refetch } = useTranscript(id)
  return (
    <section aria-label={say("call-page.transcript")} className="panel min-w-0 overflow-hidden">
      <h3 className="px-5 pt-5 pb-3 font-semibold">{say("call-page.transcript")}</h3>
      {data === undefined && error !== null && !isStatus(error, 401) ? (
        <div className="px-5 pb-5">
          <FaultAlert fault={{ sentence: faultOfRead(error), again: () => void refetch() }} />
        </div>
      ) : data === undefined ? (
        <div aria-busy="true" className="grid gap-3 px-5 pb-5">
          <span className="skeleton h-3.5 w-3/4" />
          <span className="skeleton h-3.5 w-1/2" />
          <span className="skeleton h-3.5 w-2/3" />
        </div>
      ) : data.length === 0 ? (
        <p className="px-5 pb-5 text-soft">{say(isLive ? "call-page.transcript-live" : "call-page.transcript-none")}</p>
      ) : (
        <ol className="divide-y divide-line border-t border-line">
          {data.map((entry) =>
            entry.role === "tool" ? (
              <ToolEntry key={entry.id} entry={entry} />
            ) : (
              <SpokenEntry key={entry.id} entry={entry} />
            )
          )}
        </ol>
      )}
    </section>
  )
}
