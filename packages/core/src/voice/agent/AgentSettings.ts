/** What an agent that speaks is made of, whether its configuration, a client's `Settings` or both said so. Source: docs/reference/voice-agent.md#agent. */
import type * as Ids from "../VoiceIds.ts"

/** A JSON object whose form is not known. */
export type JsonObject = { readonly [name: string]: unknown }

/** When turns begin, end and are interrupted. Source: docs/reference/voice-agent.md#turns. */
export interface TurnSettings {
  /** Silence that ends an utterance: 200 to 3000 ms. */
  readonly silenceMs: number
  /** Silence that ends a turn whose words say that more is to come: 500 to 5000 ms. */
  readonly maxSilenceMs: number
  /** Speech that interrupts the agent at once: 0 to 2000 ms. */
  readonly minSpeechMs: number
  /** Whether the agent can be interrupted at all. */
  readonly bargeIn: boolean
  /** Words that confirm and are no turn while the agent speaks, in lower case; null for those of the language. */
  readonly backchannel: ReadonlyArray<string> | null
  /** Whether what the agent itself has said is passed over when it comes back. */
  readonly echoGuard: boolean
}

export interface NudgeSettings {
  /** 0 to 5; null for the line's default: 2 on a telephone, 0 elsewhere. */
  readonly max: number | null
  /** 3000 to 120,000 ms. */
  readonly delayMs: number
  readonly message: string
  /** Whether a caller who stays silent is hung up on. */
  readonly hangUp: boolean
}

/** Sentences that are always the same. */
export interface FixedMessages {
  readonly reprompt: string
  readonly trouble: string
  readonly goodbye: string
  readonly resumed: string
}

/** A function of the host's. Source: docs/reference/voice-agent.md#functions. */
export interface AgentFunction {
  readonly name: string
  readonly description: string
  /** A JSON schema of an object. */
  readonly parameters: JsonObject
  /** Null: the client runs it. */
  readonly endpoint: FunctionEndpoint | null
}

export interface FunctionEndpoint {
  readonly url: string
  readonly method: string
  /** Secrets: in no log, event, answer or prompt. */
  readonly headers: Readonly<Record<string, string>>
}

/** A person to whom a call can be transferred. */
export interface TransferTarget {
  readonly name: string
  readonly phone: string
  readonly description: string
}

/** Models of one stage: the first is used, the others in this order where it fails. */
export type ModelChoices<A> = readonly [A, ...ReadonlyArray<A>]

export interface ThinkModel {
  readonly model: string
  /** Null: the model's own. */
  readonly temperature: number | null
}

export interface SpeakModel {
  readonly model: string
  /** Null: the model's own. */
  readonly voice: string | null
}

export interface ListenModel {
  readonly model: string
  /** Null for none. */
  readonly fallback: string | null
  /** Null: the upstream's default. */
  readonly language: string | null
}

/** A part of the conversation before its beginning: a message, or a call of a function that has ended. */
export type ContextMessage =
  | { readonly role: "user" | "assistant"; readonly content: string }
  | {
      readonly role: "tool"
      /** No other call of the conversation has it. */
      readonly id: string
      readonly name: string
      /** The text of a JSON object. */
      readonly arguments: string
      readonly result: string
    }

export interface AgentSettings {
  /** Null where a client has described the agent itself. */
  readonly botId: Ids.BotId | null
  /** With the variables replaced; null for none. */
  readonly greeting: string | null
  readonly firstSpeaker: "agent" | "caller"
  /** The prompt with the variables replaced; null for none. */
  readonly prompt: string | null
  /** A tag such as `en` or `hi-IN`. */
  readonly language: string
  /** Oldest first. */
  readonly context: ReadonlyArray<ContextMessage>
  readonly listen: ListenModel
  readonly think: ModelChoices<ThinkModel>
  readonly speak: ModelChoices<SpeakModel>
  readonly turn: TurnSettings
  readonly nudge: NudgeSettings
  /** Said once while a function takes longer than two seconds; empty for nothing. */
  readonly waitMessage: string
  readonly messages: FixedMessages
  readonly recordCalls: boolean
  /** Said before a recording begins; null for nothing. */
  readonly recordingNotice: string | null
  readonly functions: ReadonlyArray<AgentFunction>
  /** Names of built-in tools that are not always there, such as `send_message`. */
  readonly tools: ReadonlyArray<string>
  readonly transferTargets: ReadonlyArray<TransferTarget>
  /** Whether the client gets a `History` after each message. */
  readonly sendsHistory: boolean
}
