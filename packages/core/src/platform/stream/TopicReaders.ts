/** Who hears of which topics: those who may read what they name. Pure. Source: docs/reference/stream.md#topics. */
import { type Caller, may, type Scopes } from "../accounts/index.ts"
import { type TopicKind, topicKinds } from "../changes/index.ts"

/** What a person needs one of; null where every person of the account reads it. */
const needed: Readonly<Record<TopicKind, ReadonlyArray<Scopes.Scope> | null>> = {
  account: null,
  campaigns: ["campaigns:read"],
  campaign: ["campaigns:read"],
  calls: ["calls:read"],
  call: ["calls:read"],
  contacts: ["contacts:read"],
  suppression: ["campaigns:read"],
  conversations: ["channel:read"],
  conversation: ["channel:read"],
  agents: ["channel:read"],
  // Caller numbers, connected numbers, and voicemail texts.
  numbers: ["calls:read", "channel:read", "campaigns:read"],
  alerts: ["webhooks:write"],
  webhooks: ["webhooks:write"],
  keys: ["keys:manage"],
  members: null
}

/** People whose role says what they may do read alerts whatever it is, as the routes let them. */
const everyRole: ReadonlySet<TopicKind> = new Set<TopicKind>(["alerts"])

const isReader = (caller: Caller, kind: TopicKind): boolean => {
  const scopes = needed[kind]
  if (scopes === null || (everyRole.has(kind) && caller._tag === "User")) return true
  return scopes.some((scope) => may(caller, scope))
}

const known = new Map<string, ReadonlySet<TopicKind>>()

/** The kinds of topics that a person hears of: always the same set for people who hear of the same. */
export const kindsFor = (caller: Caller): ReadonlySet<TopicKind> => {
  const kinds = topicKinds.filter((kind) => isReader(caller, kind))
  const key = kinds.join()
  const set = known.get(key) ?? new Set(kinds)
  known.set(key, set)
  return set
}
