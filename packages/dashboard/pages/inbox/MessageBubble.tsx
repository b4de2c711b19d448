/** One message. What customers, agents and files say is text: nothing of it is markup. */
import { useQuery } from "@tanstack/react-query"
import type { Conversation, Message } from "@trunkline/client"
import { useEffect, useState } from "react"
import { faultOfRead } from "../frame/FaultSentences.ts"
import { exactMoment, say, wordOf } from "../frame/Say.ts"
import { api } from "../frame/ServerRequests.ts"
import { Button } from "../parts/Button.tsx"
import { Icon } from "../parts/Icons.tsx"
import { isUncertain, piecesOf } from "./MessageRuns.ts"

/** Pictures that a browser draws without running anything. */
const pictures: ReadonlyArray<string> = ["image/jpeg", "image/png", "image/gif", "image/webp"]
const files: ReadonlyArray<string> = ["image", "audio", "video", "document", "sticker"]

type Json = Readonly<Record<string, unknown>>

const textIn = (content: Json, name: string): string | null => {
  const value = content[name]
  return typeof value === "string" && value !== "" ? value : null
}

const Words = ({ text }: { readonly text: string }) => (
  <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
    {piecesOf(text).map(({ href, text: piece }, nth) =>
      href === null ? (
        piece
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have nothing else.
        <a key={nth} href={href} target="_blank" rel="noopener noreferrer" className="underline">
          {piece}
        </a>
      )
    )}
  </p>
)

/** The bytes of a file as an address of this page alone: it is loaded when somebody wants it, and gone with the page. */
const File = ({ conversation, message }: { readonly conversation: Conversation; readonly message: Message }) => {
  const { content, type } = message
  const id = textIn(content, "id")
  const name = textIn(content, "filename") ?? type
  const isPicture = type === "image" || type === "sticker"
  const [isWanted, setWanted] = useState(false)
  const { data, error, isFetching } = useQuery({
    queryKey: ["chat file", id],
    queryFn: async ({ signal }) => {
      const query = { phone_number_id: conversation.phone_number_id }
      const answer = await api.chatMedia.get(id ?? "", query, { signal })
      const kind = answer.headers.get("content-type")?.split(";")[0] ?? ""
      return new Blob([await answer.arrayBuffer()], { type: kind })
    },
    enabled: id !== null && isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    gcTime: 0
  })
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (data === undefined) return
    const made = URL.createObjectURL(data)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [data])
  if (address !== null && data !== undefined && isPicture && pictures.includes(data.type))
    return <img src={address} alt={textIn(content, "caption") ?? name} className="max-h-80 max-w-full rounded-md" />
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span className="font-medium wrap-anywhere">{`[${name}]`}</span>
      {address !== null ? (
        <a href={address} download={name} className="button is-small">
          <Icon name="download" className="size-4 flex-none" />
          {say("inbox.save-file")}
        </a>
      ) : id === null ? null : (
        <Button isSmall isBusy={isFetching} onPress={() => setWanted(true)}>
          {say("inbox.load-file")}
        </Button>
      )}
      {error === null ? null : <span className="text-bad">{faultOfRead(error)}</span>}
    </span>
  )
}

const Quoted = ({ of, thread }: { readonly of: Message; readonly thread: ReadonlyArray<Message> }) => {
  const answered = of.context === null ? undefined : thread.find(({ msgid }) => msgid === of.context?.message_id)
  const text = answered?.text
  return text == null ? null : (
    <p dir="auto" className="mb-1 line-clamp-2 border-s-2 border-edge ps-2 text-sm text-soft wrap-anywhere">
      {text}
    </p>
  )
}

export const MessageBubble = ({
  conversation,
  message,
  thread
}: {
  readonly conversation: Conversation
  readonly message: Message
  readonly thread: ReadonlyArray<Message>
}) => {
  const { deleted_at, direction, edited_at, text, type } = message
  const isFile = files.includes(type)
  return (
    <div
      className={`bubble ${direction === "inbound" ? "is-theirs" : message.role === "agent" ? "is-ours" : "is-agents"}`}
    >
      <Quoted of={message} thread={thread} />
      {deleted_at === null ? null : <p className="text-sm italic">{say("inbox.deleted")}</p>}
      <div className={deleted_at === null ? "" : "line-through opacity-80"}>
        {isFile ? <File conversation={conversation} message={message} /> : null}
        {text !== null && text !== "" ? (
          <Words text={text} />
        ) : isFile ? null : (
          <p>{`[${type.replaceAll("_", " ")}]`}</p>
        )}
      </div>
      {edited_at === null ? null : (
        <p className="text-xs" title={message.original?.text ?? undefined}>
          {say("inbox.edited")}
        </p>
      )}
    </div>
  )
}

/** What has become of a message to the customer. */
export const MessageStatus = ({ message }: { readonly message: Message }) => {
  const { created_at, error, status } = message
  if (isUncertain(message))
    return (
      <p className="flex items-center gap-1 text-xs font-semibold text-warn">
        <Icon name="warning" className="size-3.5 flex-none" />
        {say("inbox.uncertain")}
      </p>
    )
  if (status === "failed")
    return (
      <p className="flex items-center gap-1 text-xs font-semibold text-bad">
        <Icon name="cross" className="size-3.5 flex-none" />
        <span className="wrap-anywhere">{`${wordOf("message", status)}: ${error?.message ?? ""}`}</span>
      </p>
    )
  return (
    <p className="text-xs text-soft" title={exactMoment(created_at)}>
      {wordOf("message", status)}
    </p>
  )
}
