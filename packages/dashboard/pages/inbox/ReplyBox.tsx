/** What is written to the customer: one message for each text, however often it is sent. */
import { ApiError, type Conversation, type Me } from "@trunkline/client"
import { type KeyboardEvent, useId, useRef, useState } from "react"
import { faultOfWrite } from "../frame/FaultSentences.ts"
import { type Fault, sayResult } from "../frame/Notices.ts"
import { readAgain } from "../frame/QueryCache.ts"
import { say } from "../frame/Say.ts"
import { api, isUnknown, newKey } from "../frame/ServerRequests.ts"
import { useMe } from "../frame/SignedInPerson.ts"
import { Button } from "../parts/Button.tsx"
import { dropDraft, keepDraft, readDraft } from "../parts/Drafts.ts"
import { FaultAlert } from "../parts/FaultAlert.tsx"
import { customerName } from "./InboxReads.ts"

/** The server splits longer texts, up to this length. */
const maxLength = 65_536

interface Draft {
  readonly text: string
  /** Made when the text was first sent, and kept until there was an answer. */
  readonly key: string | null
}

/** To whom: a phone, or a person as the chat platform calls them. */
export const recipientOf = ({ phone, user_id }: Pick<Conversation, "phone" | "user_id">) =>
  phone === null ? { user_id } : { to: phone }

/** Nobody knows whether the message has arrived, and it cannot be asked for again under its key. */
const isLost = (error: unknown): boolean => error instanceof ApiError && error.code === "idempotency_outcome_unknown"

const placeOf = (me: Me, name: string): string => `inbox ${me.account.id} ${me.subject} ${name}`

/** What somebody has begun to write to the customer of a conversation. */
export const replyDraft = (me: Me, conversationId: string): string =>
  readDraft<Draft>(placeOf(me, conversationId)).text ?? ""

/** Sends with one key until there is an answer; the fault that is shown otherwise. */
export const useSending = (name: string) => {
  const me = useMe()
  const place = placeOf(me, name)
  const [draft, setDraft] = useState<Draft>(() => ({ text: "", key: null, ...readDraft<Draft>(place) }))
  const present = useRef(draft)
  const keep = (next: Draft): void => {
    present.current = next
    setDraft(next)
    if (next.text === "" && next.key === null) dropDraft(place)
    else keepDraft(place, next)
  }
  // A message whose answer was awaited when the page was loaded anew.
  const [fault, setFault] = useState<Fault | null>(() =>
    draft.key === null ? null : { sentence: say("fault.unknown"), again: () => again.current() }
  )
  const [isBusy, setBusy] = useState(false)
  const sending = useRef(false)
  const again = useRef<() => void>(() => {})
  const send = async (run: (text: string, idempotencyKey: string) => Promise<unknown>): Promise<boolean> => {
    if (sending.current) return false
    sending.current = true
    setBusy(true)
    setFault(null)
    const { key, text } = present.current
    const used = key ?? newKey()
    keep({ text, key: used })
    try {
      await run(text, used)
      const after = present.current.text
      // What was written meanwhile is the next message.
      keep({ text: after.startsWith(text) ? after.slice(text.length).trimStart() : after, key: null })
      return true
    } catch (error) {
      if (isLost(error)) setFault({ sentence: say("inbox.lost") })
      else setFault(faultOfWrite(error, () => again.current()))
      if (!isUnknown(error)) keep({ ...present.current, key: null })
      return false
    } finally {
      sending.current = false
      setBusy(false)
    }
  }
  const write = (text: string): void => {
    // Another text is another message, but for one that is on its way.
    keep({ text, key: sending.current ? present.current.key : null })
    if (!sending.current) setFault(null)
  }
  return { again, draft, fault, isBusy, send, write }
}

interface Given {
  readonly conversation: Conversation
  /** Why nothing can be sent; null where it can. */
  readonly off: string | null
  /** The agent answers, too. */
  readonly isAgentOn: boolean
  /** The server has said that the window is closed. */
  readonly onClosed: () => void
}

export const ReplyBox = ({ conversation, isAgentOn, off, onClosed }: Given) => {
  const { again, draft, fault, isBusy, send, write } = useSending(conversation.id)
  const field = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  const who = customerName(conversation)
  const empty = draft.text.trim() === "" ? say("inbox.write-first") : null
  const submit = async (): Promise<void> => {
    if (off !== null || empty !== null) return
    const isSent = await send(async (text, idempotencyKey) => {
      const message = { phone_number_id: conversation.phone_number_id, ...recipientOf(conversation), text }
      await api.chatMessages.send(message, { idempotencyKey }).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === "window_closed") onClosed()
        throw error
      })
    })
    if (isSent) sayResult(say("inbox.sent", { who }))
    await readAgain(`conversation:${conversation.id}`, "conversations")
    field.current?.focus()
  }
  again.current = () => void submit()
  const pressed = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return
    event.preventDefault()
    void submit()
  }
  return (
    <form
      className="grid gap-2 border-t border-line p-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {fault === null ? null : <FaultAlert fault={fault} />}
      {isAgentOn && draft.text !== "" ? <p className="text-sm text-warn">{say("inbox.agent-too")}</p> : null}
      <label htmlFor={id} className="sr-only">
        {say("inbox.reply")}
      </label>
      <textarea
        ref={field}
        id={id}
        rows={3}
        dir="auto"
        className="input reply-field"
        placeholder={say("inbox.reply-to", { who })}
        maxLength={maxLength}
        aria-describedby={`${id}h`}
        value={draft.text}
        onChange={({ target }) => write(target.value)}
        onKeyDown={pressed}
      />
      <span className="flex flex-wrap items-center justify-end gap-3">
        <span id={`${id}h`} className="text-xs text-soft">
          {say("inbox.send-keys")}
        </span>
        <Button type="submit" look="primary" writes off={off ?? empty} isBusy={isBusy}>
          {say("inbox.send")}
        </Button>
      </span>
    </form>
  )
}
