/** Agents as they speak: who may, with which settings, and what they know. Source: docs/reference/voice-agent.md#agent. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Bot, BotSecrets, Bots, Knowledge } from "../../agents/bots/index.ts"
import { type Toolbox, toolbox } from "../../agents/replying/index.ts"
import type { ModelCaller } from "../../gateway/admission/index.ts"
import { ModelCatalogue } from "../../gateway/catalogue/index.ts"
import type { SoundFormat } from "../../platform/audio/index.ts"
import { tracedFn } from "../../platform/kernel/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import type * as Ids from "../VoiceIds.ts"
import { type ModelRules, type ModelsRefused, modelsRefusal, type StageProblem, withOurNames } from "./AgentModels.ts"
import type { AgentSettings } from "./AgentSettings.ts"
import { agentSettingsOf } from "./AgentSettingsOf.ts"
import { headersOf } from "./BotConfigSecrets.ts"
import { readBotVoiceConfig, withHeaders } from "./BotVoiceConfig.ts"
import type { GivenAgent } from "./GivenAgent.ts"
import { describeFaults, type FieldFault } from "./GivenFields.ts"
import { readSettings, type SettingsRefused, type SettingsWarning } from "./SettingsMessage.ts"
import { type SettingsUpdate, type UpdateApplied, type UpdateRefused, updateSettings } from "./SettingsUpdates.ts"
import type { Variables } from "./Variables.ts"
import { VoiceSettings } from "./VoiceSettings.ts"

/** Who pays for a session, and whether a model can be served at the moment: the pipeline says so. */
export interface AgentCaller extends ModelCaller {
  readonly tenantId: Ids.AccountId
  readonly problem: StageProblem
}

/** What a session says of its agent beside the bot's configuration; null is the bot's own. */
export interface SessionChoices {
  readonly botId: Ids.BotId
  readonly sttModel: string | null
  readonly llmModel: string | null
  readonly ttsModel: string | null
  readonly voice: string | null
  readonly language: string | null
  /** Of the contact and of the session: see `variablesOf`. */
  readonly variables: Variables
}

/** An agent that can speak. */
export interface ReadyAgent {
  readonly settings: AgentSettings
  /** Null for the default. */
  readonly maxDurationSeconds: number | null
}

/** What a client's `Settings` have come to. */
export interface AppliedSettings extends ReadyAgent {
  readonly input: SoundFormat
  readonly output: SoundFormat
  readonly warnings: ReadonlyArray<SettingsWarning>
}

/** A session's own agent is there no more, or does not answer any more: no settings would help. */
interface AgentGone {
  readonly code: "INTERNAL_SERVER_ERROR"
  readonly description: string
}

/** Why an agent cannot speak. */
export type AgentRefused = SettingsRefused | ModelsRefused | AgentGone

/** What an agent knows. */
export interface AgentKnowledge {
  readonly hasEntries: boolean
  /** Searches for `search_knowledge_base`, for one reply; it remembers what was found. */
  readonly newToolbox: () => Toolbox
}

/** Whether a bot answers: it is active and has a prompt. */
export const answers = ({ isActive, systemPrompt }: Pick<Bot, "isActive" | "systemPrompt">): boolean =>
  isActive && systemPrompt !== null && systemPrompt.trim() !== ""

const noAgent: AgentRefused = {
  code: "INVALID_SETTINGS",
  description: "agent: is no agent of this account that answers: it must be active and have a system prompt"
}

const agentGone: AgentRefused = {
  code: "INTERNAL_SERVER_ERROR",
  description: "The session's agent does not answer any more: it was deleted, is inactive or has no system prompt."
}

/** Every fault of the settings at once, also those of the agent that they describe. */
const refusedBy = (faults: ReadonlyArray<FieldFault>, agent: AgentRefused | null): SettingsRefused => ({
  code: "INVALID_SETTINGS",
  description: [describeFaults(faults), ...(agent?.code === "INVALID_SETTINGS" ? [agent.description] : [])].join("; ")
})

const choicesOf = ({
  language,
  llmModel,
  sttModel,
  ttsModel,
  voice
}: Omit<SessionChoices, "botId" | "variables">): GivenAgent => ({
  language: language ?? undefined,
  listen: { model: sttModel ?? undefined },
  think: { model: llmModel ?? undefined },
  speak: { model: ttsModel ?? undefined, voice: voice ?? undefined }
})

/** Everything that is said of an agent, for one session. */
interface Described {
  readonly botId: Ids.BotId | null
  readonly given: ReadonlyArray<GivenAgent>
  readonly variables: Variables
  readonly sendsHistory: boolean
}

export class VoiceAgents extends Context.Service<
  VoiceAgents,
  {
    /**
     * The agent of a client's `Settings`. With a `session` the agent is that session's, and of the client's only `context` and
     * `language` count; without one the client names a bot or describes the agent itself.
     */
    readonly apply: (
      caller: AgentCaller,
      message: unknown,
      session: SessionChoices | null
    ) => Effect.Effect<AppliedSettings | AgentRefused, StorageError>
    /** The agent of a session that has no client to describe it: one on a telephone. */
    readonly ofSession: (
      caller: AgentCaller,
      session: SessionChoices
    ) => Effect.Effect<ReadyAgent | AgentRefused, StorageError>
    /** The settings after an update of the client's, or why it is refused. */
    readonly update: (
      caller: AgentCaller,
      settings: AgentSettings,
      update: SettingsUpdate
    ) => UpdateApplied | UpdateRefused
    /** What a bot knows; one that is gone knows nothing. Null where there is no bot. */
    readonly knowledge: (
      tenantId: Ids.AccountId,
      botId: Ids.BotId | null
    ) => Effect.Effect<AgentKnowledge | null, StorageError>
  }
>()("@trunkline/core/voice/agent/VoiceAgents") {
  static readonly layer = Layer.effect(
    VoiceAgents,
    Effect.gen(function* () {
      const bots = yield* Bots
      const secrets = yield* BotSecrets
      const catalogue = yield* ModelCatalogue
      const known = yield* Knowledge
      const { defaults } = yield* VoiceSettings

      const rulesOf = ({ key, plan, problem }: AgentCaller): ModelRules => ({
        catalogue,
        caller: { key, plan },
        problem
      })

      /** What the bot says of itself; null for one that does not answer. */
      const botOf = Effect.fnUntraced(function* (tenantId: Ids.AccountId, botId: Ids.BotId) {
        const bot = yield* Effect.catchTag(bots.get(tenantId, botId), "BotNotFound", () => Effect.succeed(null))
        if (bot === null || !answers(bot)) return null
        // Keys that an earlier version accepted may be wrong: they are passed over.
        const { agent, maxDurationSeconds } = readBotVoiceConfig(bot.config).read
        const { functions = [] } = agent
        const headers = functions.length === 0 ? {} : headersOf(yield* secrets.of(botId))
        const given: GivenAgent = {
          ...agent,
          prompt: bot.systemPrompt ?? undefined,
          functions: withHeaders(functions, headers)
        }
        return { given, maxDurationSeconds }
      })

      const settingsOf = (described: Described): AgentSettings => {
        const llmModel = defaults.llmModel ?? catalogue.defaultModels.llm
        const settings = agentSettingsOf({ ...described, defaults: { ...defaults, llmModel } })
        return withOurNames(settings, catalogue)
      }

      const noBot = { given: {}, maxDurationSeconds: null }

      const ready = Effect.fnUntraced(function* (
        caller: AgentCaller,
        { botId, given, sendsHistory, variables }: Described
      ): Effect.fn.Return<ReadyAgent | AgentRefused, StorageError> {
        const bot = botId === null ? noBot : yield* botOf(caller.tenantId, botId)
        if (bot === null) return noAgent
        const settings = settingsOf({ botId, given: [bot.given, ...given], variables, sendsHistory })
        return modelsRefusal(settings, rulesOf(caller)) ?? { settings, maxDurationSeconds: bot.maxDurationSeconds }
      })

      const apply = tracedFn("VoiceAgents.apply")(function* (
        caller: AgentCaller,
        message: unknown,
        session: SessionChoices | null
      ): Effect.fn.Return<AppliedSettings | AgentRefused, StorageError> {
        const read = readSettings(message, session !== null)
        const { faults, given, input, output, sendsHistory, warnings } = read
        const agent = yield* ready(caller, {
          botId: session === null ? read.botId : session.botId,
          given: session === null ? [given] : [choicesOf(session), given],
          variables: session?.variables ?? {},
          sendsHistory
        })
        if (agent === noAgent && session !== null) return agentGone
        if (faults.length > 0) return refusedBy(faults, "code" in agent ? agent : null)
        return "code" in agent ? agent : { ...agent, input, output, warnings }
      })

      const ofSession = (caller: AgentCaller, session: SessionChoices) => {
        const { botId, variables } = session
        return ready(caller, { botId, given: [choicesOf(session)], variables, sendsHistory: false })
      }

      const knowledge = Effect.fnUntraced(function* (tenantId: Ids.AccountId, botId: Ids.BotId | null) {
        if (botId === null) return null
        const listed = known.list(tenantId, botId, { limit: 1, offset: 0 })
        const { total } = yield* Effect.catchTag(listed, "BotNotFound", () => Effect.succeed({ total: 0 }))
        return { hasEntries: total > 0, newToolbox: () => toolbox(known, botId) }
      })

      return VoiceAgents.of({
        apply,
        ofSession,
        knowledge,
        update: (caller, settings, update) => updateSettings(settings, update, rulesOf(caller))
      })
    })
  )
}
