/** Merges the settings of an agent, from the general to the particular. Pure. Source: docs/reference/voice-agent.md#merge. */
import { Instant } from "../../platform/kernel/index.ts"
import type * as Ids from "../VoiceIds.ts"
import type { AgentSettings, ModelChoices } from "./AgentSettings.ts"
import type { GivenAgent } from "./GivenAgent.ts"
import { filledPrompt, filledSentence, type Variables } from "./Variables.ts"
import type { VoiceDefaults } from "./VoiceSettings.ts"

/** What an agent says and does where nobody says otherwise. */
const standard = {
  turn: {
    silenceMs: 0.5 * Instant.second,
    maxSilenceMs: 1.5 * Instant.second,
    minSpeechMs: 0.4 * Instant.second,
    bargeIn: true,
    backchannel: null,
    echoGuard: true
  },
  nudge: { max: null, delayMs: 12 * Instant.second, message: "Are you still there?", hangUp: true },
  waitMessage: "One moment, please.",
  messages: {
    reprompt: "Sorry, I did not catch that. Could you say it again?",
    trouble: "I am having trouble right now. Please say that again in a moment.",
    goodbye: "I am sorry, something is wrong here. Goodbye.",
    resumed: "Sorry, the line was gone for a moment."
  },
  recordingNotice: "This call is recorded."
} satisfies Partial<AgentSettings>

/** An agent before anybody has said anything of it. */
const blankAgent = ({ language, llmModel, sttModel, ttsModel, voice }: VoiceDefaults): AgentSettings => ({
  ...standard,
  botId: null,
  greeting: null,
  firstSpeaker: "agent",
  prompt: null,
  language,
  context: [],
  listen: { model: sttModel, fallback: null, language: null },
  think: [{ model: llmModel, temperature: null }],
  speak: [{ model: ttsModel, voice }],
  recordCalls: false,
  functions: [],
  tools: [],
  transferTargets: [],
  sendsHistory: true
})

/** The fields of the second that are there, over those of the first. */
const over = <T extends object>(base: T, given: { readonly [K in keyof T]?: T[K] | undefined } | undefined): T =>
  given === undefined
    ? base
    : ({ ...base, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) } as T)

/** An agent with what one more source says of it. */
export const withGiven = (agent: AgentSettings, given: GivenAgent): AgentSettings => {
  const { hasRecordingNotice, listen, messages, nudge, recordingNotice, speak, think, turn, ...rest } = given
  const notice = recordingNotice ?? agent.recordingNotice ?? standard.recordingNotice
  const isSilent = hasRecordingNotice === false || (hasRecordingNotice === undefined && agent.recordingNotice === null)
  return {
    ...over(agent, rest),
    listen: over(agent.listen, listen),
    think: thinkOf(agent, think),
    speak: speakOf(agent, speak),
    turn: over(agent.turn, turn),
    nudge: over(agent.nudge, nudge),
    messages: over(agent.messages, messages),
    recordingNotice: isSilent || notice === "" ? null : notice
  }
}

const thinkOf = ({ think: [first, ...others] }: AgentSettings, given: GivenAgent["think"]): AgentSettings["think"] => {
  const { fallbacks, ...own } = given ?? {}
  return [over(first, own), ...(fallbacks ?? others)]
}

/** A voice belongs to its model: another model has its own. */
const speakOf = ({ speak: [first, ...others] }: AgentSettings, given: GivenAgent["speak"]): AgentSettings["speak"] => {
  const { fallbacks, ...own } = given ?? {}
  const isOther = own.model !== undefined && own.model !== first.model
  return [over(isOther ? { ...first, voice: null } : first, own), ...(fallbacks ?? others)]
}

/** A tag such as `en` or `hi-IN`: what a model can be given as a language. */
const tag = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i

/** Everything that is said of one agent. */
interface AgentSources {
  readonly defaults: VoiceDefaults
  readonly botId: Ids.BotId | null
  /** From the general to the particular: the bot, the session, the client. */
  readonly given: ReadonlyArray<GivenAgent>
  readonly variables: Variables
  readonly sendsHistory: boolean
}

/** The settings of an agent: each source over the one before it, with the variables filled in. */
export const agentSettingsOf = ({ botId, defaults, given, sendsHistory, variables }: AgentSources): AgentSettings => {
  const agent = given.reduce(withGiven, blankAgent(defaults))
  const sentence = (template: string) => filledSentence(template, variables)
  const { goodbye, reprompt, resumed, trouble } = agent.messages
  return {
    ...agent,
    botId,
    sendsHistory,
    greeting: notEmpty(agent.greeting === null ? null : sentence(agent.greeting)),
    prompt: notEmpty(agent.prompt === null ? null : filledPrompt(agent.prompt, variables)),
    listen: { ...agent.listen, language: agent.listen.language ?? (tag.test(agent.language) ? agent.language : null) },
    nudge: { ...agent.nudge, message: sentence(agent.nudge.message) },
    waitMessage: sentence(agent.waitMessage),
    messages: {
      reprompt: sentence(reprompt),
      trouble: sentence(trouble),
      goodbye: sentence(goodbye),
      resumed: sentence(resumed)
    },
    recordingNotice: notEmpty(agent.recordingNotice === null ? null : sentence(agent.recordingNotice))
  }
}

const notEmpty = (text: string | null): string | null => (text === null || text.trim() === "" ? null : text)

/** Applies a function to each choice of a stage. */
export const mapChoices = <A>(choices: ModelChoices<A>, change: (choice: A) => A): ModelChoices<A> => {
  const [first, ...others] = choices
  return [change(first), ...others.map(change)]
}
