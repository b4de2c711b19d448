/** What the inbox reads. */
import { useQuery } from "@tanstack/react-query"
import type { ConnectedNumber, Conversation } from "@trunkline/client"
import { useCallback, useEffect, useRef, useState } from "react"
import { api } from "../frame/ServerRequests.ts"
import { settings } from "../frame/Settings.ts"
import { useMe } from "../frame/SignedInPerson.ts"
import { type Thread, withNewest, withOlder } from "./MessageRuns.ts"

export const useConversation = (id: string) =>
  useQuery({
    queryKey: ["conversation", id],
    queryFn: ({ signal }) => api.conversations.get(id, { signal }),
    meta: { topics: [`conversation:${id}`, "numbers"], urgent: true }
  })

const pageSize = 50

/** The newest messages, and the older ones that somebody has gone back to. */
export const useThread = (id: string) => {
  const { data, error, refetch } = useQuery({
    queryKey: ["conversation", id, "messages"],
    queryFn: ({ signal }) => api.conversations.listMessages(id, { limit: pageSize }, { signal }).then((found) => found),
    meta: { topics: [`conversation:${id}`], urgent: true }
  })
  const [thread, setThread] = useState<Thread | null>(null)
  useEffect(() => {
    if (data !== undefined) setThread((known) => withNewest(known ?? [], data.items, pageSize))
  }, [data])
  const [isLoading, setLoading] = useState(false)
  const loading = useRef(false)
  const first = thread?.[0]?.id
  const total = data?.total ?? 0
  const hasOlder = thread !== null && thread.length < total
  const older = useCallback(async (): Promise<void> => {
    if (loading.current || first === undefined) return
    loading.current = true
    setLoading(true)
    try {
      const { items } = await api.conversations.listMessages(id, { limit: pageSize, before: first })
      setThread((known) => withOlder(known ?? [], items))
    } finally {
      loading.current = false
      setLoading(false)
    }
  }, [id, first])
  return { thread, error, refetch, older, hasOlder, isLoading }
}

/** The account's chat numbers, by their id. */
const useChatNumbers = () =>
  useQuery({
    queryKey: ["chat numbers", "choices"],
    queryFn: async ({ signal }) => (await api.connectedNumbers.list({ limit: 500 }, { signal })).items,
    staleTime: 60_000,
    meta: { topics: ["numbers"] }
  })

const useChannels = () =>
  useQuery({
    queryKey: ["channels"],
    queryFn: ({ signal }) => api.channels.list({ signal }),
    staleTime: Number.POSITIVE_INFINITY
  })

/** What the channels can do, and what their numbers are called. */
export const useLines = () => {
  const { data: numbers } = useChatNumbers()
  const { data: channels } = useChannels()
  const numberOf = ({ phone_id }: Pick<Conversation, "phone_id">): ConnectedNumber | undefined =>
    numbers?.find(({ id }) => id === phone_id)
  const channelOf = (conversation: Pick<Conversation, "phone_id">) => {
    const kind = numberOf(conversation)?.channel
    return channels?.find(({ channel, is_standard }) => (kind === undefined ? is_standard : channel === kind))
  }
  return {
    isKnown: numbers !== undefined && channels !== undefined,
    nameOf: (conversation: Pick<Conversation, "phone_id" | "phone_number_id">): string =>
      numberOf(conversation)?.display_phone_number ?? conversation.phone_number_id,
    hasWindow: (conversation: Pick<Conversation, "phone_id" | "window_expires_at">): boolean =>
      conversation.window_expires_at !== null || (channelOf(conversation)?.reply_window_seconds ?? null) !== null,
    hasTemplates: (conversation: Pick<Conversation, "phone_id">): boolean => channelOf(conversation)?.templates ?? false
  }
}

/** Whom a conversation may be assigned to, where people sign in here. */
export const useColleagues = () =>
  useQuery({
    queryKey: ["members", "choices"],
    queryFn: async ({ signal }) => (await api.members.list({ limit: 500 }, { signal })).items,
    enabled: settings.sign_in,
    staleTime: 60_000,
    meta: { topics: ["members"] }
  })

/** `Ada (you)`, and how the server calls this person. */
export const useOwnName = () => {
  const me = useMe()
  return me.name ?? me.email ?? me.subject
}

export interface ShownTemplate {
  readonly name: string
  readonly language: string
  readonly body: string
  /** How many values its text has. */
  readonly values: number
}

type Json = Readonly<Record<string, unknown>>

const objects = (value: unknown): ReadonlyArray<Json> =>
  Array.isArray(value) ? value.filter((one): one is Json => typeof one === "object" && one !== null) : []

const placeholder = /\{\{\s*(\w+)\s*\}\}/g

/** The templates that may be sent, out of the chat platform's own answer. */
export const templatesIn = (answer: Json): ReadonlyArray<ShownTemplate> =>
  objects(answer.data).flatMap(({ components, language, name, status }) => {
    const isApproved = status === undefined || String(status).toUpperCase() === "APPROVED"
    if (!isApproved || typeof name !== "string" || typeof language !== "string") return []
    const body = objects(components).find(({ type }) => String(type).toUpperCase() === "BODY")?.text
    const text = typeof body === "string" ? body : ""
    return [{ name, language, body: text, values: new Set(text.match(placeholder)).size }]
  })

export const useTemplates = (phoneNumberId: string, isWanted: boolean) =>
  useQuery({
    queryKey: ["templates", phoneNumberId],
    queryFn: async ({ signal }) =>
      templatesIn(await api.chatTemplates.list({ phone_number_id: phoneNumberId, limit: 500 }, { signal })),
    enabled: isWanted,
    staleTime: 60_000
  })

/** What a conversation is called: the customer's name, number or id. */
export const customerName = ({ name, phone, user_id }: Pick<Conversation, "name" | "phone" | "user_id">): string =>
  name ?? (phone === null ? (user_id ?? "") : `+${phone}`)
