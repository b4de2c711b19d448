/** The session of a call whose media is connected, with its agent. Source: docs/reference/voice-agent.md#telephone. */
import * as Effect from "effect/Effect"
import type { Bot } from "../../agents/bots/index.ts"
import type { TranscriptEntry } from "../../calling/calls/index.ts"
import { type Call, CallMedia } from "../../calling/calls/index.ts"
import { CampaignContacts } from "../../calling/campaigns/index.ts"
import { Contacts } from "../../calling/contacts/index.ts"
import type { InferenceRefused } from "../../gateway/errors/index.ts"
import { type Account, Accounts } from "../../platform/accounts/index.ts"
import { tracedFn } from "../../platform/kernel/index.ts"
import { Storage, type StorageError } from "../../platform/storage/index.ts"
import {
  type AgentSettings,
  answers,
  type ReadyAgent,
  type SessionChoices,
  type Variables,
  VoiceAgents,
  variablesOf
} from "../agent/index.ts"
import {
  defaultVoiceSeconds,
  type LiveSession,
  LiveSessions,
  SessionRecords,
  type VoiceSession,
  VoiceSessions
} from "../sessions/index.ts"
import { VoicePipeline } from "../stages/index.ts"
import type { HistoryMessage } from "../turns/index.ts"
import type * as Ids from "../VoiceIds.ts"
import { isOver } from "./CallEndings.ts"

export interface PreparedCall {
  readonly call: Call
  readonly live: LiveSession
  readonly settings: AgentSettings
  /** What was said before, on a line that has come back. */
  readonly history: ReadonlyArray<HistoryMessage>
  /** Nobody answered where the call was transferred to. */
  readonly isComeback: boolean
}

const ownChoices = { sttModel: null, llmModel: null, ttsModel: null, voice: null, language: null }

const unanswered = (callId: Ids.CallId, why: string) =>
  Effect.logWarning("an agent could not answer a call", callId, why)

/** How the call's previous session ended, which decides whether the agent may go on. */
type PreviousEnd = "none" | "handoff" | "over"

const previousEndOf = (session: VoiceSession | null): PreviousEnd =>
  session === null ? "none" : session.endReason === "handoff" ? "handoff" : "over"

/** An entry for the model that goes on: what was said, and what a function has done. */
const historyOf = ({ index, role, text, tool }: TranscriptEntry): ReadonlyArray<HistoryMessage> => {
  if (role !== "tool") return text === "" ? [] : [{ role, content: text }]
  const { arguments: written, name, result } = tool ?? { name: "", arguments: "", result: null }
  return result === null ? [] : [{ role, id: `earlier_${index}`, name, arguments: written, result }]
}

export interface CallSessions {
  /** Begins the call's session, or takes it over. Null where no agent answers the call, or not any more. */
  readonly prepare: (callId: Ids.CallId) => Effect.Effect<PreparedCall | null, InferenceRefused | StorageError>
  /** Records the session of an answered call whose media never came, and stops the call. */
  readonly giveUp: (callId: Ids.CallId) => Effect.Effect<void, StorageError>
  /** The last session of a call. */
  readonly lastOf: (call: Call) => Effect.Effect<VoiceSession | null, InferenceRefused | StorageError>
  readonly mayAnswer: (bot: Bot) => Effect.Effect<boolean, StorageError>
}

export const makeCallSessions = Effect.gen(function* () {
  const accounts = yield* Accounts
  const agents = yield* VoiceAgents
  const addressBook = yield* Contacts
  const contacts = yield* CampaignContacts
  const media = yield* CallMedia
  const { problem } = yield* VoicePipeline
  const records = yield* SessionRecords
  const sessions = yield* LiveSessions
  const { get } = yield* VoiceSessions
  const storage = yield* Storage

  const lastOf = ({ tenantId, voiceSessionId }: Call) =>
    voiceSessionId === null ? Effect.succeed(null) : get(tenantId, voiceSessionId)

  const agentOf = Effect.fnUntraced(function* ({ id, plan }: Account, choices: SessionChoices) {
    const agent = yield* agents.ofSession({ tenantId: id, plan, key: null, problem }, choices)
    return "code" in agent ? agent.description : agent
  })

  const accountOf = (tenantId: Ids.AccountId) => storage.read(accounts.find(tenantId))

  /** Of the campaign's contact, and of who has the number in the account's address book. */
  const variablesFor = Effect.fnUntraced(function* ({ campaignId, contactId, tenantId, to }: Call) {
    const known = campaignId !== null && contactId !== null
    const contact = known ? yield* contacts.find(campaignId, contactId) : null
    const { items } = yield* addressBook.list(tenantId, { phone: to }, { limit: 1, offset: 0 })
    const { company = null, custom = {}, email = null, firstName = null, name = null } = items[0] ?? {}
    return variablesOf({ phone: to, name: contact?.name ?? name ?? firstName, email, company, custom })
  })

  const mayAnswer = Effect.fnUntraced(function* (bot: Bot) {
    const account = answers(bot) ? yield* accountOf(bot.tenantId) : null
    if (account === null) return false
    return typeof (yield* agentOf(account, { ...ownChoices, botId: bot.id, variables: {} })) !== "string"
  })

  const giveUp = Effect.fnUntraced(function* (callId: Ids.CallId) {
    const call = yield* media.find(callId)
    if (call === null) return
    yield* Effect.logWarning("the media of an answered call was never connected", callId)
    yield* sessions.giveUp(callId, {
      tenantId: call.tenantId,
      keyId: null,
      botId: call.botId,
      variables: {},
      metadata: {},
      sttModel: null,
      language: null,
      llmModel: null,
      ttsModel: null,
      voice: null,
      maxDurationSeconds: defaultVoiceSeconds
    })
  })

  const said = Effect.fnUntraced(function* ({ id, tenantId }: VoiceSession) {
    const entries = yield* records.transcript(tenantId, id)
    return entries.flatMap(historyOf)
  })

  const begin = (account: Account, call: Call, { maxDurationSeconds, settings }: ReadyAgent, variables: Variables) =>
    sessions.begin({
      payer: { tenantId: account.id, plan: account.plan, monthlyBudget: account.monthlyBudget, key: null },
      botId: call.botId,
      callId: call.id,
      variables,
      metadata: {},
      maxDurationSeconds: maxDurationSeconds ?? defaultVoiceSeconds,
      sttModel: settings.listen.model,
      language: settings.language,
      llmModel: settings.think[0].model,
      ttsModel: settings.speak[0].model,
      voice: settings.speak[0].voice
    })

  /** The call as it is now. Null where nothing can be said on it any more. */
  const stillUp = Effect.fnUntraced(function* ({ id }: Call) {
    const present = yield* media.find(id)
    return present === null || isOver(present) || present.answeredBy === "machine" ? null : present
  })

  const resume = Effect.fnUntraced(function* (account: Account, call: Call, live: LiveSession) {
    const { session } = live
    const { language, llmModel, sttModel, ttsModel, variables, voice } = session
    const choices = { language, llmModel, sttModel, ttsModel, variables, voice }
    const agent = call.botId === null ? null : yield* agentOf(account, { ...choices, botId: call.botId })
    if (agent === null || typeof agent === "string") {
      yield* sessions.end(live.lease, "agent_error")
      return null
    }
    return { call, live, settings: agent.settings, history: yield* said(session), isComeback: false }
  })

  const prepare = tracedFn("CallSessions.prepare")(function* (
    callId: Ids.CallId
  ): Effect.fn.Return<PreparedCall | null, InferenceRefused | StorageError> {
    const call = yield* media.find(callId)
    if (call === null || call.botId === null || isOver(call)) return null
    const account = yield* accountOf(call.tenantId)
    if (account === null) return null
    const resumed = yield* sessions.resume(callId)
    if (resumed !== null) return yield* resume(account, call, resumed)
    const before = yield* lastOf(call)
    if (previousEndOf(before) === "over") return null
    const variables = yield* variablesFor(call)
    const agent = yield* agentOf(account, { ...ownChoices, botId: call.botId, variables })
    if (typeof agent === "string") {
      yield* unanswered(callId, agent)
      return null
    }
    const live = yield* Effect.catchTag(begin(account, call, agent, variables), "InferenceRefused", (refused) =>
      refused.code === "session_not_found" ? Effect.succeed(null) : Effect.as(unanswered(callId, refused.detail), null)
    )
    const present = live === null ? null : yield* stillUp(call)
    if (live === null || present === null) return null
    const isComeback = before !== null
    const context = before === null ? [] : yield* said(before)
    const settings = isComeback ? { ...agent.settings, greeting: null, context } : agent.settings
    return { call: present, live, settings, history: [], isComeback }
  })

  return {
    giveUp,
    lastOf,
    mayAnswer,
    prepare
  } satisfies CallSessions
})
