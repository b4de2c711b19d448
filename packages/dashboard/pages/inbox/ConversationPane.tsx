/** One conversation: who has it, what was said, and the answer. */
import { Link } from "@tanstack/react-router"
import type { Conversation, ConversationChange } from "@trunkline/client"
import { type ReactNode, type RefObject, useCallback, useEffect, useState, useSyncExternalStore } from "react"
import { faultOfRead, faultOfWrite } from "../frame/FaultSentences.ts"
import { type Fault, sayResult } from "../frame/Notices.ts"
import { isOpen as isPageOpen } from "../frame/Places.ts"
import { readAgain } from "../frame/QueryCache.ts"
import { exactMoment, say } from "../frame/Say.ts"
import { api, isStatus } from "../frame/ServerRequests.ts"
import { useMay, useMe } from "../frame/SignedInPerson.ts"
import { Button, useWritesOff } from "../parts/Button.tsx"
import { FaultAlert } from "../parts/FaultAlert.tsx"
import { Icon } from "../parts/Icons.tsx"
import { useNow } from "../parts/PageClock.ts"
import type { InboxFilter } from "./ConversationList.tsx"
import { customerName, useColleagues, useConversation, useLines, useOwnName, useThread } from "./InboxReads.ts"
import { MessageLog } from "./MessageLog.tsx"
import { ReplyBox, replyDraft } from "./ReplyBox.tsx"
import { TemplateBox } from "./TemplateBox.tsx"
import { hoursAndMinutes, type WindowLeft, windowLeft } from "./WindowLeft.ts"

/** Somebody else has the conversation that was to be taken. */
interface Conflict {
  readonly who: string
  readonly change: ConversationChange
}

const nameOf = ({ assigned_to: to }: Conversation): string => to?.name ?? to?.subject ?? ""

/** Changes of who answers: what was ordered, and who stands against it. */
const useHandling = (conversation: Conversation) => {
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault | null>(null)
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const order = (change: ConversationChange, done: string): void => {
    if (isBusy) return
    setBusy(true)
    setFault(null)
    setConflict(null)
    const run = async (): Promise<void> => {
      try {
        await api.conversations.change(conversation.id, change)
        sayResult(done)
      } catch (error) {
        const now = isStatus(error, 409) ? await api.conversations.get(conversation.id).catch(() => null) : null
        if (now?.status === "open" && now.assigned_to !== null) setConflict({ who: nameOf(now), change })
        else setFault(faultOfWrite(error, () => order(change, done)))
      }
      await readAgain(`conversation:${conversation.id}`, "conversations")
    }
    void run().finally(() => setBusy(false))
  }
  return { conflict, fault, isBusy, order, leave: () => setConflict(null) }
}

const Timer = ({ expiresAt, left }: { readonly left: WindowLeft; readonly expiresAt: string | null }) => {
  const text =
    left.kind === "none"
      ? say("inbox.no-window")
      : left.kind === "closed"
        ? say("inbox.closed")
        : left.minutes < 60
          ? say("inbox.minutes-left", { m: left.minutes })
          : say("inbox.hours-left", hoursAndMinutes(left.minutes))
  const tone = left.kind === "closed" ? "text-bad" : left.kind === "open" && left.isSoonOver ? "text-warn" : "text-soft"
  return (
    <span
      className={`flex items-center gap-1.5 ${tone}`}
      title={expiresAt === null ? undefined : exactMoment(expiresAt)}
    >
      <Icon name="clock" className="size-4 flex-none" />
      <span role="timer" aria-label={say("inbox.window")} className="tabular-nums">
        {text}
      </span>
    </span>
  )
}

const AssignedTo = ({
  conversation,
  isOff,
  onChoose
}: {
  readonly conversation: Conversation
  readonly isOff: string | null
  readonly onChoose: (subject: string, name: string) => void
}) => {
  const me = useMe()
  const own = useOwnName()
  const { data: members } = useColleagues()
  const holder = conversation.assigned_to
  const options = [
    { value: "", text: say("inbox.nobody") },
    { value: me.subject, text: say("inbox.self", { name: own }) },
    ...(members ?? [])
      .filter(({ id, status }) => id !== me.subject && status === "active")
      .map(({ email, id, name }) => ({ value: id, text: name ?? email }))
  ]
  const present = holder?.subject ?? ""
  const all = options.some(({ value }) => value === present)
    ? options
    : [...options, { value: present, text: nameOf(conversation) }]
  return (
    <label className="flex min-w-0 items-center gap-2">
      <span className="text-soft">{say("inbox.assigned-to")}</span>
      <select
        className="input w-auto min-w-0 max-w-44"
        value={present}
        disabled={isOff !== null}
        title={isOff ?? undefined}
        onChange={({ target }) =>
          onChoose(target.value, all.find(({ value }) => value === target.value)?.text ?? target.value)
        }
      >
        {all.map(({ text, value }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

const useIsInSight = (): boolean =>
  useSyncExternalStore(
    (heard) => {
      document.addEventListener("visibilitychange", heard)
      return () => document.removeEventListener("visibilitychange", heard)
    },
    () => !document.hidden
  )

/** What is opened in sight is read. */
const useReadMark = ({ id, last_message, unread_count }: Conversation, isSeen: boolean): void => {
  const may = useMay("messaging:write")
  const away = useWritesOff()
  const isInSight = useIsInSight()
  const isDue = may && away === null && isInSight && isSeen && unread_count > 0
  const newest = last_message?.created_at
  // biome-ignore lint/correctness/useExhaustiveDependencies: a message that has come since is read, too.
  useEffect(() => {
    if (!isDue) return
    api.conversations.read(id).then(
      () => readAgain(`conversation:${id}`, "conversations"),
      // It stays unread until the next time.
      () => {}
    )
  }, [id, isDue, newest])
}

interface Given {
  readonly id: string
  readonly filter: InboxFilter
  readonly isNarrow: boolean
  readonly headingRef: RefObject<HTMLHeadingElement | null>
  /** Somebody at the page has opened it, and is to read its heading. */
  readonly isAwaited: RefObject<boolean>
}

const Around = ({ children }: { readonly children: ReactNode }) => (
  <section aria-label={say("inbox.conversation")} className="flex min-h-0 min-w-0 flex-1 flex-col">
    {children}
  </section>
)

export const ConversationPane = ({ filter, headingRef, id, isAwaited, isNarrow }: Given) => {
  const { data: conversation, error, refetch } = useConversation(id)
  const back = isNarrow ? (
    <Link to="/inbox/{-$id}" params={{}} search={filter} className="button is-quiet is-small justify-self-start">
      <Icon name="back" className="size-4 flex-none" />
      {say("inbox.back")}
    </Link>
  ) : null
  if (conversation === undefined)
    return (
      <Around>
        <div className="grid gap-3 p-4">
          {back}
          <h2 ref={headingRef} tabIndex={-1} className="sr-only">
            {say("inbox.conversation")}
          </h2>
          {error !== null && !isStatus(error, 401) ? (
            <FaultAlert
              fault={{
                sentence: isStatus(error, 404) ? say("inbox.gone") : faultOfRead(error),
                again: () => void refetch()
              }}
            />
          ) : (
            <span aria-busy="true" className="skeleton h-10 w-1/2" />
          )}
        </div>
      </Around>
    )
  return <Opened {...{ back, conversation, headingRef, isAwaited }} />
}

const Opened = ({
  back,
  conversation,
  headingRef,
  isAwaited
}: {
  readonly back: ReactNode
  readonly conversation: Conversation
  readonly headingRef: RefObject<HTMLHeadingElement | null>
  /** Somebody at the page has opened it, and is to read its heading. */
  readonly isAwaited: RefObject<boolean>
}) => {
  const me = useMe()
  useEffect(() => {
    // The heading of before, which had the focus while this was being read, is gone.
    if (isAwaited.current && document.activeElement === document.body)
      headingRef.current?.focus({ preventScroll: true })
    isAwaited.current = false
  }, [headingRef, isAwaited])
  const now = useNow(10_000)
  const lines = useLines()
  const read = useThread(conversation.id)
  const [isSeen, setSeen] = useState(false)
  const onNewest = useCallback((isInSight: boolean) => setSeen(isInSight), [])
  const handling = useHandling(conversation)
  const [closedAt, setClosedAt] = useState<string | null>(null)
  useReadMark(conversation, isSeen)
  const mayWrite = useMay("messaging:write")
  const maySend = useMay("messaging:send")
  const away = useWritesOff()
  const name = customerName(conversation)
  const { ai_autoreply_enabled: isAgentOn, assigned_to: holder, phone, window_expires_at: expiresAt } = conversation
  const isOver = conversation.status === "ended"
  // The server's word counts more than this machine's clock.
  const left: WindowLeft =
    closedAt === (expiresAt ?? "")
      ? { kind: "closed" }
      : windowLeft(expiresAt, lines.isKnown ? lines.hasWindow(conversation) : expiresAt !== null, now)
  const off = mayWrite ? (isOver ? say("inbox.over") : null) : say("not-available.write")
  const sendOff = maySend ? null : say("not-available.write")
  const takeOver = (change: ConversationChange = {}): void =>
    handling.order({ ai_autoreply_enabled: false, assigned_to: "me", ...change }, say("inbox.taken", { who: name }))
  const returnIt = (): void =>
    handling.order(
      { ai_autoreply_enabled: true, ...(holder?.subject === me.subject ? { assigned_to: null } : {}) },
      say("inbox.returned", { who: name })
    )
  const { conflict } = handling
  return (
    <Around>
      <div className="grid grid-cols-1 gap-2 border-b border-line px-4 py-3">
        {back}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <div className="min-w-0 flex-1 basis-28">
            <h2 ref={headingRef} tabIndex={-1} dir="auto" className="truncate text-lg font-semibold" title={name}>
              {name}
            </h2>
            <p className="flex flex-wrap gap-x-2 text-sm text-soft">
              {phone === null || conversation.name === null ? null : isPageOpen("contacts", me) ? (
                <Link to="/contacts" search={{ q: `+${phone}` }} className="text-link tabular-nums">
                  {`+${phone}`}
                </Link>
              ) : (
                <span className="tabular-nums">{`+${phone}`}</span>
              )}
              <span className="wrap-anywhere">{say("inbox.through", { number: lines.nameOf(conversation) })}</span>
            </p>
          </div>
          <Button
            look={isAgentOn ? "primary" : "plain"}
            writes
            off={off}
            isBusy={handling.isBusy}
            onPress={() => (isAgentOn ? takeOver() : returnIt())}
          >
            {say(isAgentOn ? "inbox.take-over" : "inbox.return")}
          </Button>
        </div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5 text-sm">
          <AssignedTo
            conversation={conversation}
            isOff={mayWrite ? away : say("not-available.write")}
            onChoose={(subject, who) =>
              handling.order(
                { assigned_to: subject === "" ? null : subject === me.subject ? "me" : subject },
                subject === "" ? say("inbox.unassigned", { who: name }) : say("inbox.assigned", { who: name, to: who })
              )
            }
          />
          <Timer left={left} expiresAt={expiresAt} />
          {conversation.needs_person ? (
            <span className="badge is-warn">
              <Icon name="people" className="" />
              {say("inbox.needs_person")}
            </span>
          ) : null}
        </div>
        {conflict === null ? null : (
          <div role="alert" className="banner is-warn">
            <p className="min-w-0 flex-1 basis-44 wrap-anywhere">{say("inbox.held", { who: conflict.who })}</p>
            <Button
              isSmall
              writes
              onPress={() =>
                handling.order({ ...conflict.change, force: true }, say("inbox.taken-from", { who: conflict.who }))
              }
            >
              {say("inbox.take-from", { who: conflict.who })}
            </Button>
            <Button isSmall look="quiet" onPress={handling.leave} aria-label={say("action.dismiss")}>
              <Icon name="close" />
            </Button>
          </div>
        )}
        {handling.fault === null ? null : <FaultAlert fault={handling.fault} />}
        {isOver ? (
          <p className="banner">
            {say("inbox.over")}
            <Link
              to="/inbox/{-$id}"
              params={{}}
              search={{ q: phone ?? conversation.user_id ?? "" }}
              className="text-link"
            >
              {say("inbox.newer")}
            </Link>
          </p>
        ) : null}
      </div>
      <MessageLog conversation={conversation} read={read} onNewest={onNewest} />
      {left.kind === "closed" ? (
        <TemplateBox
          conversation={conversation}
          hasTemplates={lines.hasTemplates(conversation)}
          kept={replyDraft(me, conversation.id)}
          off={sendOff}
        />
      ) : (
        <ReplyBox
          conversation={conversation}
          isAgentOn={isAgentOn && conversation.bot_id !== null}
          off={sendOff}
          onClosed={() => setClosedAt(expiresAt ?? "")}
        />
      )}
    </Around>
  )
}
