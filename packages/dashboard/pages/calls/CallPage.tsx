/** One call: how it went, what was said, what it came to. */
import { Link, useParams } from "@tanstack/react-router"
import type { CallDetails } from "@trunkline/client"
import { useRef, useState } from "react"
import { asLeft, returning } from "../frame/Arrival.ts"
import { faultOfRead, faultOfWrite } from "../frame/FaultSentences.ts"
import { type Fault, sayResult } from "../frame/Notices.ts"
import { isOpen } from "../frame/Places.ts"
import { queryClient, readAgain } from "../frame/QueryCache.ts"
import { duration, moment, number, say, wordOf } from "../frame/Say.ts"
import { api, isStatus } from "../frame/ServerRequests.ts"
import { useMay, useMe } from "../frame/SignedInPerson.ts"
import { Badge } from "../parts/Badge.tsx"
import { dropDraft, keepDraft, readDraft } from "../parts/Drafts.ts"
import { Fact, Moment } from "../parts/Fact.tsx"
import { FaultAlert } from "../parts/FaultAlert.tsx"
import { Heading } from "../parts/Heading.tsx"
import { Icon } from "../parts/Icons.tsx"
import { useNow } from "../parts/PageClock.ts"
import { useAgents, useCampaignNames } from "../parts/RecordChoices.ts"
import { CallAnalysis } from "./CallAnalysis.tsx"
import { useCallDetails, useCalledPerson } from "./CallReads.ts"
import { callSentence, isOver } from "./CallState.ts"
import { CallTranscript } from "./CallTranscript.tsx"
import { HangUp } from "./HangUp.tsx"
import { OutcomeForm } from "./OutcomeForm.tsx"
import { Recording } from "./Recording.tsx"

const Trail = () => (
  <a
    href={`#${asLeft("/calls")}`}
    onClick={returning}
    className="mb-2 inline-flex min-h-6 items-center gap-1 text-sm text-soft hover:text-ink"
  >
    <Icon name="back" className="size-4 flex-none" />
    {say("call-page.back")}
  </a>
)

const Talked = ({ call }: { readonly call: CallDetails }) => {
  const isTalking = call.status === "in_progress" && call.answered_at !== null
  const now = useNow(isTalking ? 1000 : null)
  if (call.answered_at === null) return "–"
  return duration(isTalking ? now - Date.parse(call.answered_at) : (call.duration_seconds ?? 0) * 1000)
}

const Facts = ({ call }: { readonly call: CallDetails }) => {
  const me = useMe()
  const agents = useAgents().data ?? []
  const campaigns = useCampaignNames().data ?? []
  const person = useCalledPerson(call.to).data ?? null
  const { bot_id, campaign_id } = call
  const name = person?.name ?? [person?.first_name, person?.last_name].filter(Boolean).join(" ")
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3 border-t border-line px-5 py-4 sm:grid-cols-3 lg:grid-cols-4">
      {person === null || name === "" ? null : (
        <Fact label={say("call-page.person")}>
          {isOpen("contacts", me) ? (
            <a href={`#/contacts/${person.id}`} dir="auto" className="text-link inline-block min-h-6">
              {name}
            </a>
          ) : (
            name
          )}
        </Fact>
      )}
      <Fact label={say("calls.campaign")}>
        {campaign_id === null ? (
          say("call-page.single")
        ) : (
          <Link to="/campaigns/$id" params={{ id: campaign_id }} className="text-link inline-block min-h-6">
            {campaigns.find(({ id }) => id === campaign_id)?.name ?? say("campaign.unknown")}
          </Link>
        )}
      </Fact>
      <Fact label={say("calls.agent")}>
        {bot_id === null ? say("call-page.no-agent") : (agents.find(({ id }) => id === bot_id)?.name ?? bot_id)}
      </Fact>
      <Fact label={say("calls.from")}>{call.from ?? "–"}</Fact>
      {call.attempt === null ? null : <Fact label={say("call-page.attempt")}>{number(call.attempt)}</Fact>}
      <Fact label={say("calls.when")}>
        <Moment iso={call.created_at} />
      </Fact>
      <Fact label={say("call-page.answered")}>
        <Moment iso={call.answered_at} />
      </Fact>
      <Fact label={say("call-page.ended-at")}>
        <Moment iso={call.ended_at} />
      </Fact>
      <Fact label={say("calls.duration")}>
        <Talked call={call} />
      </Fact>
      {call.answered_by === null ? null : (
        <Fact label={say("calls.answered-by")}>{wordOf("answered", call.answered_by)}</Fact>
      )}
      <Fact label={say("calls.credits")}>{number(Number(call.credits))}</Fact>
      <Fact label={say("call-page.carrier")}>{call.provider}</Fact>
    </dl>
  )
}

interface Draft {
  readonly outcome: string
  readonly note: string
}

const Outcome = ({ call }: { readonly call: CallDetails }) => {
  const { id, outcome: noted } = call
  const may = useMay("calls:write")
  const stored: Draft = { outcome: noted?.outcome ?? "", note: noted?.note ?? "" }
  const [typed, setTyped] = useState<Partial<Draft>>(() => readDraft<Draft>(`outcome ${id}`))
  const [fault, setFault] = useState<Fault | null>(null)
  const [missing, setMissing] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const sending = useRef(false)
  const present = { ...stored, ...typed }
  const set = (change: Partial<Draft>): void => {
    setMissing(null)
    const next = { ...typed, ...change }
    setTyped(next)
    keepDraft(`outcome ${id}`, next)
  }
  const save = async (): Promise<void> => {
    if (sending.current) return
    if (present.outcome === "") return setMissing(say("outcome.choose"))
    sending.current = true
    setBusy(true)
    setFault(null)
    const note = present.note.trim()
    try {
      const saved = await api.calls.note(id, { outcome: present.outcome, note: note === "" ? null : note })
      queryClient.setQueryData<CallDetails>(["call", id], (before) =>
        before === undefined ? before : { ...before, ...saved }
      )
      dropDraft(`outcome ${id}`)
      setTyped({})
      sayResult(say("outcome.saved", { outcome: present.outcome }))
      void readAgain(`call:${id}`, "calls")
    } catch (error) {
      setFault(faultOfWrite(error, () => void save()))
    } finally {
      sending.current = false
      setBusy(false)
    }
  }
  return (
    <div className="panel grid gap-3 p-5">
      {fault === null ? null : <FaultAlert fault={fault} />}
      <OutcomeForm
        outcome={present.outcome}
        note={present.note}
        onOutcome={(outcome) => set({ outcome })}
        onNote={(note) => set({ note })}
        onSave={() => void save()}
        fault={missing}
        off={may ? null : say("not-available.write")}
        isBusy={isBusy}
        noted={
          noted === null ? null : say("outcome.by", { who: noted.by.name ?? noted.by.subject, time: moment(noted.at) })
        }
      />
    </div>
  )
}

const Whole = ({ call }: { readonly call: CallDetails }) => (
  <>
    <div className="panel mb-4 overflow-hidden">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-5 py-4">
        <h2 className="min-w-0 text-xl font-semibold wrap-anywhere">{say("call-page.title", { number: call.to })}</h2>
        <Badge kind="call" status={call.status} />
        {isOver(call) ? <span className="text-soft">{callSentence(call)}</span> : null}
        {isOver(call) ? null : (
          <span className="ms-auto">
            <HangUp callId={call.id} />
          </span>
        )}
      </div>
      <Facts call={call} />
    </div>
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="grid min-w-0 gap-4">
        <Recording call={call} />
        <CallTranscript id={call.id} isLive={!isOver(call)} />
      </div>
      <div className="grid min-w-0 gap-4">
        <Outcome key={call.id} call={call} />
        <CallAnalysis call={call} />
      </div>
    </div>
  </>
)

export const CallPage = () => {
  const { id } = useParams({ from: "/calls/$id" })
  const { data, error, refetch } = useCallDetails(id)
  return (
    <>
      <Trail />
      <Heading title={say("calls.heading")} />
      {data !== undefined ? (
        <Whole key={id} call={data} />
      ) : error !== null && !isStatus(error, 401) ? (
        <FaultAlert
          fault={{
            sentence: isStatus(error, 404) ? say("call-page.gone") : faultOfRead(error),
            again: () => void refetch()
          }}
        />
      ) : (
        <div aria-busy="true" className="grid gap-4">
          <span className="skeleton block h-40 rounded-lg" />
          <span className="skeleton block h-64 rounded-lg" />
        </div>
      )}
    </>
  )
}
