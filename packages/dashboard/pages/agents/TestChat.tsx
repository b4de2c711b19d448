/** The region "Test chat": the agent answers here as it would answer a customer, also with changes that are not saved. */
import { ApiError, type BotChange, type BotTest, type BotTestAnswer, type Model } from "@trunkline/client"
import { useEffect, useRef, useState } from "react"
import { faultOfWrite } from "../frame/FaultSentences.ts"
import type { Fault } from "../frame/Notices.ts"
import { locale, number, say } from "../frame/Say.ts"
import { api, isUnknown } from "../frame/ServerRequests.ts"
import { Button, useWritesOff } from "../parts/Button.tsx"
import { dropDraft, keepDraft, readDraft } from "../parts/Drafts.ts"
import { FaultAlert } from "../parts/FaultAlert.tsx"
import { AreaField } from "../parts/FormFields.tsx"
import { Findings } from "./KnowledgeSection.tsx"

/** A model may search and think for as long as the server waits for it, and a little. */
const timeoutMs = 190_000

const exact = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 })

/** The field that the page leads to. */
export const messageId = "trial-message"

/** A question, and the answer once it is there. */
interface Turn {
  readonly question: string
  readonly answer: BotTestAnswer
}

interface Chat {
  readonly message: string
  readonly turns: ReadonlyArray<Turn>
}

const messagesOf = (turns: ReadonlyArray<Turn>, message: string): BotTest["messages"] => [
  ...turns.flatMap(({ answer, question }) => [
    { role: "user" as const, content: question },
    { role: "assistant" as const, content: answer.text }
  ]),
  { role: "user", content: message }
]

const Tools = ({ tools }: { readonly tools: BotTestAnswer["tools"] }) => (
  <details open className="rounded-md border border-line bg-paper px-3 py-2">
    <summary className="text-sm font-semibold">{say("trial.found")}</summary>
    <ol className="mt-2 grid gap-3">
      {tools.map((tool, nth) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what a model has looked up never changes.
        <li key={nth} className="grid gap-1.5">
          <code className="font-mono text-xs text-soft wrap-anywhere">
            {tool.name} {JSON.stringify(tool.arguments)}
          </code>
          {tool.error !== null ? (
            <p className="text-sm font-medium text-bad">{tool.error}</p>
          ) : tool.result.length === 0 ? (
            <p className="text-sm text-soft">{say("trial.nothing-found")}</p>
          ) : (
            <Findings found={tool.result} />
          )}
        </li>
      ))}
    </ol>
  </details>
)

const bubble = "w-fit max-w-full rounded-lg px-3 py-2 whitespace-pre-line wrap-anywhere"

const Answer = ({ answer }: { readonly answer: BotTestAnswer }) => (
  <div className="grid gap-2">
    <p className="text-xs font-semibold text-soft">{say("trial.agent")}</p>
    {answer.tools.length === 0 ? null : <Tools tools={answer.tools} />}
    {answer.parts.map((part, nth) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an answer never change.
      <p key={nth} className={`${bubble} border border-line bg-paper`}>
        {part}
      </p>
    ))}
    <p className="text-xs text-soft tabular-nums">
      {say("trial.cost", {
        model: answer.model,
        input: number(answer.input_tokens),
        output: number(answer.output_tokens),
        credits: exact.format(Number(answer.credits)),
        seconds: exact.format(answer.latency_ms / 1000)
      })}
    </p>
  </div>
)

const Question = ({ text }: { readonly text: string }) => (
  <div className="grid justify-items-end gap-1">
    <p className="text-xs font-semibold text-soft">{say("trial.customer")}</p>
    <p className={`${bubble} bg-live-sheet`}>{text}</p>
  </div>
)

/** What the model costs, before it is asked. */
const priceOf = (model: Model | undefined): string | null => {
  const { input_usd_per_million_tokens: input, output_usd_per_million_tokens: output } = model?.price ?? {}
  if (model === undefined || input === undefined || output === undefined) return null
  const usd = new Intl.NumberFormat(locale, { style: "currency", currency: "USD", maximumFractionDigits: 4 })
  return say("trial.price", { model: model.id, input: usd.format(input), output: usd.format(output) })
}

export const TestChat = ({
  agentId,
  change: { config, system_prompt },
  isReadable,
  model
}: {
  /** Null while the agent has not been saved. */
  readonly agentId: string | null
  /** What is tried in the place of what is stored. */
  readonly change: BotChange
  readonly isReadable: boolean
  readonly model: Model | undefined
}) => {
  const draft = `trial ${agentId ?? ""}`
  const [chat, setChat] = useState<Chat>(() => ({ message: "", turns: [], ...readDraft<Chat>(draft) }))
  const [asked, setAsked] = useState<string | null>(null)
  const [fault, setFault] = useState<Fault | null>(null)
  const log = useRef<HTMLDivElement>(null)
  /** Of the question that waits for its answer. */
  const stop = useRef<AbortController | null>(null)
  const away = useWritesOff()
  const { message, turns } = chat

  useEffect(() => {
    // What has not been answered is typed anew by nobody.
    const kept = [asked ?? "", message].filter((text) => text !== "").join("\n")
    if (kept === "" && turns.length === 0) dropDraft(draft)
    else keepDraft(draft, { message: kept, turns })
  }, [asked, draft, message, turns])
  // Nobody waits for the answer any more: the server cancels the run.
  useEffect(() => () => stop.current?.abort(), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what has been added is brought into view.
  useEffect(() => {
    const box = log.current
    if (box !== null) box.scrollTo({ top: box.scrollHeight })
  }, [asked, turns.length])

  const send = async (): Promise<void> => {
    const question = message.trim()
    if (agentId === null || question === "" || away !== null || stop.current !== null) return
    setFault(null)
    if (!isReadable) return setFault({ sentence: `${say("agents.more")}: ${say("agents.more-wrong")}` })
    const own = new AbortController()
    stop.current = own
    setAsked(question)
    setChat({ message: "", turns })
    try {
      const tried = {
        ...(config === undefined ? {} : { config }),
        ...(system_prompt === undefined ? {} : { system_prompt })
      }
      const answer = await api.bots.test(
        agentId,
        { messages: messagesOf(turns, question), ...tried },
        { timeoutMs, signal: own.signal }
      )
      setChat((now) => ({ ...now, turns: [...now.turns, { question, answer }] }))
    } catch (error) {
      if (own.signal.aborted) return
      // What has been typed meanwhile stands below it.
      setChat((now) => ({ ...now, message: now.message === "" ? question : `${question}\n${now.message}` }))
      setFault(
        // Why an agent has no answer is said by the product itself, whatever the status.
        error instanceof ApiError && error.code.startsWith("agent_")
          ? { sentence: error.message }
          : isUnknown(error)
            ? { sentence: say("trial.unknown") }
            : { ...faultOfWrite(error, () => {}), again: undefined }
      )
    } finally {
      if (stop.current === own) {
        stop.current = null
        setAsked(null)
      }
    }
  }

  const isEmpty = turns.length === 0 && asked === null
  const total = turns.reduce((sum, { answer }) => sum + Number(answer.credits), 0)
  return (
    <section aria-label={say("trial.heading")} className="panel flex min-h-0 flex-col xl:h-[calc(100dvh-11.5rem)]">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-3">
        <h2 className="text-lg font-semibold">{say("trial.heading")}</h2>
        {isEmpty ? null : (
          <span className="ms-auto flex flex-wrap items-center gap-2">
            <span className="text-sm text-soft tabular-nums">
              {say("trial.total", { credits: exact.format(total) })}
            </span>
            <Button
              isSmall
              look="quiet"
              onPress={() => {
                stop.current?.abort()
                stop.current = null
                setAsked(null)
                setFault(null)
                setChat({ message, turns: [] })
              }}
            >
              {say("trial.start-over")}
            </Button>
          </span>
        )}
      </div>
      <div
        ref={log}
        role="log"
        aria-label={say("trial.log")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is longer than the box is scrolled by the keyboard.
        tabIndex={0}
        className="grid min-h-40 flex-1 content-start gap-4 overflow-y-auto bg-sheet px-4 py-4 max-xl:max-h-[32rem]"
      >
        {isEmpty ? (
          <div className="grid gap-1 self-center text-center text-soft">
            <p>{say(agentId === null ? "trial.save-first" : "trial.lead")}</p>
            {agentId === null ? null : <p>{priceOf(model) ?? ""}</p>}
          </div>
        ) : null}
        {turns.map(({ answer, question }, nth) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a conversation only grows.
          <div key={nth} className="grid gap-3">
            <Question text={question} />
            <Answer answer={answer} />
          </div>
        ))}
        {asked === null ? null : (
          <div className="grid gap-3">
            <Question text={asked} />
            <p className="text-sm text-soft">{say("trial.answering")}</p>
          </div>
        )}
      </div>
      <form
        className="grid grid-cols-1 gap-2 border-t border-line px-4 py-3 [&_textarea]:min-h-0"
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        {fault === null ? null : <FaultAlert fault={fault} onClose={() => setFault(null)} />}
        <AreaField
          label={say("trial.message")}
          rows={2}
          field={{
            value: message,
            onChange: (text) => setChat((now) => ({ ...now, message: text })),
            id: messageId,
            named: () => {},
            fault: null
          }}
          onEnter={() => void send()}
        />
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <p className="min-w-0 flex-1 text-sm text-soft">
            {agentId === null
              ? null
              : say(config === undefined && system_prompt === undefined ? "trial.saved" : "trial.unsaved")}
          </p>
          <Button
            type="submit"
            look="primary"
            writes
            off={agentId === null ? say("trial.save-first") : null}
            isBusy={asked !== null}
          >
            {say("trial.send")}
          </Button>
        </div>
      </form>
    </section>
  )
}
