/** What a note names as changed. Pure. Source: docs/reference/stream.md#topics. */
import type * as Ids from "../PlatformIds.ts"

/** Lists and records that stand for themselves. */
const lists = [
  "account",
  "campaigns",
  "calls",
  "contacts",
  "suppression",
  "conversations",
  "agents",
  "numbers",
  "alerts",
  "webhooks",
  "keys",
  "members"
] as const

/** Records of which each has a topic of its own: `call:ID`. */
const records = ["campaign", "call", "conversation"] as const

export const topicKinds = [...lists, ...records] as const

export type TopicKind = (typeof topicKinds)[number]

/** A list, or one record: `campaigns`, `campaign:ID`. */
export type Topic = (typeof lists)[number] | `${(typeof records)[number]}:${string}`

/** What a topic is of: `campaign` of `campaign:ID`. */
export const kindOf = (topic: Topic): TopicKind => {
  const end = topic.indexOf(":")
  return (end < 0 ? topic : topic.slice(0, end)) as TopicKind
}

/** What has changed of an account. */
export interface Change {
  readonly tenantId: Ids.AccountId
  readonly topics: ReadonlyArray<Topic>
}

/** Of an account these topics have changed. */
export const change = (tenantId: Ids.AccountId, ...topics: ReadonlyArray<Topic>): Change => ({ tenantId, topics })

/** Topics of one account in a note, at most. Readers that would hear of more read everything anew. */
export const maxTopics = 500
