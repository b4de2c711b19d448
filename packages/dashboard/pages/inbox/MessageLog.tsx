/** The log "Messages": it opens at the newest message, and older ones come above it without a jump. */
import type { Conversation, Message } from "@trunkline/client"
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react"
import { faultOfRead } from "../frame/FaultSentences.ts"
import { clockTime, dayOf, exactMoment, say, sayCount } from "../frame/Say.ts"
import { isStatus } from "../frame/ServerRequests.ts"
import { useMe } from "../frame/SignedInPerson.ts"
import { Button } from "../parts/Button.tsx"
import { FaultAlert } from "../parts/FaultAlert.tsx"
import { customerName, type useThread } from "./InboxReads.ts"
import { MessageBubble, MessageStatus } from "./MessageBubble.tsx"
import { type MessageRun, runsOf } from "./MessageRuns.ts"

/** So near to an end of the log is at that end. */
const nearPx = 48

interface Given {
  readonly conversation: Conversation
  readonly read: ReturnType<typeof useThread>
  /** Whether the newest message is in sight. */
  readonly onNewest: (isInSight: boolean) => void
}

const useWriter = (conversation: Conversation) => {
  const me = useMe()
  return ({ role, sent_by }: Message): string => {
    if (role === "user") return customerName(conversation)
    if (role === "assistant") return say("inbox.agent")
    if (sent_by === null) return say("inbox.business")
    return sent_by.subject === me.subject ? say("members.you") : (sent_by.name ?? sent_by.subject)
  }
}

const Run = ({
  conversation,
  run,
  thread,
  who
}: {
  readonly conversation: Conversation
  readonly run: MessageRun
  readonly thread: ReadonlyArray<Message>
  readonly who: string
}) => {
  const [first, last] = [run.messages[0]!, run.messages.at(-1)!]
  const isTheirs = first.direction === "inbound"
  return (
    <>
      {run.isNewDay ? (
        <p className="my-2 text-center text-xs font-semibold text-soft">{dayOf(first.created_at)}</p>
      ) : null}
      <div className={`grid max-w-[85%] gap-1 ${isTheirs ? "justify-items-start" : "ms-auto justify-items-end"}`}>
        <p className="flex items-baseline gap-2 text-xs text-soft">
          <span dir="auto" className="font-semibold wrap-anywhere">
            {who}
          </span>
          <time dateTime={first.created_at} title={exactMoment(first.created_at)} className="flex-none tabular-nums">
            {clockTime(Date.parse(first.created_at))}
          </time>
        </p>
        {run.messages.map((message) => (
          <div key={message.id} className={`grid min-w-0 max-w-full gap-0.5 ${isTheirs ? "" : "justify-items-end"}`}>
            <MessageBubble conversation={conversation} message={message} thread={thread} />
            {!isTheirs && (message === last || message.status === "failed") ? (
              <MessageStatus message={message} />
            ) : null}
          </div>
        ))}
      </div>
    </>
  )
}

export const MessageLog = ({ conversation, onNewest, read }: Given) => {
  const { error, hasOlder, isLoading, older, refetch, thread } = read
  const me = useMe()
  const writerOf = useWriter(conversation)
  const runs = useMemo(() => runsOf(thread ?? [], dayOf), [thread])
  const box = useRef<HTMLDivElement>(null)
  const [isAtEnd, setAtEnd] = useState(true)
  const [unseen, setUnseen] = useState(0)
  /** What the log looked like before it was drawn anew. */
  const before = useRef<{ first: string | undefined; last: string | undefined; height: number; count: number }>(null)
  const [first, last] = [thread?.[0]?.id, thread?.at(-1)?.id]
  const count = thread?.length ?? 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other messages move what is shown.
  useLayoutEffect(() => {
    const log = box.current
    if (log === null || thread === null) return
    const was = before.current
    before.current = { first, last, height: log.scrollHeight, count }
    const isOwn = thread.at(-1)?.sent_by?.subject === me.subject
    if (was === null || (was.last !== last && (isAtEnd || isOwn))) log.scrollTop = log.scrollHeight
    else if (was.last !== last) setUnseen((n) => n + Math.max(1, count - was.count))
    else if (was.first !== first) log.scrollTop += log.scrollHeight - was.height
  }, [first, last, thread])
  useEffect(() => onNewest(isAtEnd && thread !== null), [isAtEnd, onNewest, thread])
  const [oldFault, setOldFault] = useState<unknown>(null)
  const loadOlder = (): void => {
    setOldFault(null)
    older().catch((cause: unknown) => setOldFault(cause))
  }
  const scrolled = (): void => {
    const log = box.current
    if (log === null) return
    const isNow = log.scrollHeight - log.scrollTop - log.clientHeight < nearPx
    setAtEnd(isNow)
    if (isNow) setUnseen(0)
    if (log.scrollTop < nearPx && hasOlder && oldFault === null) loadOlder()
  }
  const toEnd = (): void => {
    const log = box.current
    if (log !== null) log.scrollTop = log.scrollHeight
  }
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={box}
        role="log"
        aria-label={say("inbox.messages")}
        aria-busy={thread === null || isLoading}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by the keyboard, too.
        tabIndex={0}
        onScroll={scrolled}
        className="chat-log"
      >
        {/* Few messages stand where the newest is: above the answer. */}
        <span className="mt-auto" />
        {error !== null && thread === null && !isStatus(error, 401) ? (
          <FaultAlert fault={{ sentence: faultOfRead(error), again: () => void refetch() }} />
        ) : null}
        {hasOlder ? (
          <span className="flex justify-center">
            <Button isSmall look="quiet" isBusy={isLoading} onPress={loadOlder}>
              {say("inbox.older")}
            </Button>
          </span>
        ) : null}
        {oldFault === null ? null : <FaultAlert fault={{ sentence: faultOfRead(oldFault), again: loadOlder }} />}
        {thread === null && error === null ? (
          <>
            <span className="skeleton h-12 w-3/5 rounded-lg" />
            <span className="skeleton ms-auto h-12 w-1/2 rounded-lg" />
          </>
        ) : null}
        {runs.map((run) => (
          <Run
            key={run.messages[0]!.id}
            conversation={conversation}
            run={run}
            thread={thread ?? []}
            who={writerOf(run.messages[0]!)}
          />
        ))}
      </div>
      {unseen > 0 && !isAtEnd ? (
        <span className="absolute inset-x-0 bottom-2 flex justify-center">
          <Button isSmall onPress={toEnd}>
            {sayCount("inbox.unseen", unseen)}
          </Button>
        </span>
      ) : null}
    </div>
  )
}
