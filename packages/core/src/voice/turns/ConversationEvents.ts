/** The events of a conversation, and the commands that answer them. Pure. Source: docs/reference/turn-taking.md. */

/** Milliseconds of a clock that only goes forward. */
export type Milliseconds = number

interface TurnOptions {
  readonly silenceMs: Milliseconds
  readonly maxSilenceMs: Milliseconds
  readonly minSpeechMs: Milliseconds
  readonly bargeIn: boolean
  readonly backchannel: ReadonlyArray<string> | null
}

export interface SaidMessage {
  readonly role: "user" | "assistant"
  readonly content: string
}

/** A call of a function that was answered, has failed or timed out: from then on a part of the conversation, whatever becomes of its reply. */
export interface EndedCall {
  readonly role: "tool"
  /** No other call of the conversation has it. */
  readonly id: string
  readonly name: string
  /** The text of a JSON object. */
  readonly arguments: string
  readonly result: string
}

export type HistoryMessage = SaidMessage | EndedCall

export interface ConversationOptions {
  readonly language: string
  readonly turn: TurnOptions
  /** True where the listening model decides when a turn ends. */
  readonly decidesTurns: boolean
  /** Said first, and never interrupted; null for nothing. */
  readonly notice: string | null
  readonly greeting: string | null
  readonly firstSpeaker: "agent" | "caller"
  readonly nudge: {
    readonly max: number
    readonly delayMs: Milliseconds
    readonly message: string
    readonly hangUp: boolean
  }
  readonly waitMessage: string
  readonly messages: {
    readonly reprompt: string
    readonly trouble: string
    readonly goodbye: string
    readonly resumed: string
  }
  /** Messages that are known when it begins, oldest first. */
  readonly history: ReadonlyArray<HistoryMessage>
  /** True where another process, or this one, has lost the line and has it again. */
  readonly isResumed: boolean
  /** Makes the id of a turn. */
  readonly turnId: () => string
}

/** Why the agent says something. `reply`: to a turn. */
export type SayingKind =
  | "notice"
  | "greeting"
  | "reply"
  | "nudge"
  | "reprompt"
  | "trouble"
  | "goodbye"
  | "resumed"
  | "injected"

/** How a conversation ends. `code`: of the `Error` that a client gets; null for none. */
export interface Ending {
  readonly reason: string
  readonly code: string | null
}

/** What follows once a reply has been played. */
export type AfterReply = "end" | "transfer"

export type ConversationEvent =
  /** The line is up, and the settings are known. */
  | { readonly _tag: "Begun" }
  /** Sound of 32 ms has come. `isCertain`: the speech that goes on is no crackle and no tone that begins or ends. */
  | { readonly _tag: "Frame"; readonly isSpeech: boolean; readonly isCertain: boolean }
  | { readonly _tag: "Timer"; readonly name: TimerName }
  /** The listening model says that the turn is over. */
  | { readonly _tag: "TurnDecided"; readonly utterance: number }
  /** `isBroken`: it could not be transcribed. */
  | {
      readonly _tag: "Transcribed"
      readonly utterance: number
      readonly text: string
      readonly model: string | null
      readonly isBroken: boolean
    }
  /** The model of a run has written. */
  | { readonly _tag: "Written"; readonly run: number; readonly text: string }
  | { readonly _tag: "FunctionsBegun"; readonly run: number }
  | { readonly _tag: "FunctionsEnded"; readonly run: number }
  /** A call of a function has ended, whose run may have been cancelled meanwhile. */
  | { readonly _tag: "CallEnded"; readonly run: number; readonly call: EndedCall }
  /** The model of a run has ended. */
  | {
      readonly _tag: "ReplyEnded"
      readonly run: number
      readonly model: string | null
      readonly after: AfterReply | null
    }
  | { readonly _tag: "ReplyFailed"; readonly run: number }
  /** The first sound of a sentence goes out. `ttsMs`: since the sentence was asked for; null for a kept one. */
  | { readonly _tag: "SoundBegun"; readonly sentence: number; readonly ttsMs: Milliseconds | null }
  /** The last sound of a sentence has gone out. */
  | { readonly _tag: "SoundSent"; readonly sentence: number }
  /** The last sound of a sentence has been played. */
  | { readonly _tag: "Played"; readonly sentence: number }
  | { readonly _tag: "NotSpoken"; readonly sentence: number }
  | { readonly _tag: "Key"; readonly key: string }
  | { readonly _tag: "UserMessage"; readonly content: string }
  /** Something has happened of which the agent is to speak: the model reads it, and nobody has said it. */
  | { readonly _tag: "Happened"; readonly content: string }
  | { readonly _tag: "AgentMessage"; readonly message: string; readonly behavior: "default" | "queue" | "interrupt" }
  | { readonly _tag: "ForceEndTurn" }
  /** The agent says goodbye, and then it ends so. */
  | { readonly _tag: "Leave"; readonly ending: Ending }
  /** What was heard is stored, and nothing follows. */
  | { readonly _tag: "LineClosed" }

export type EventOf<Tag extends ConversationEvent["_tag"]> = Extract<ConversationEvent, { readonly _tag: Tag }>

export type TimerName = "silence" | "turn" | "nudge" | "keys" | "wait" | "first"

/** Seconds between the steps of a reply; null where a step had no part. */
export interface ReplyTimes {
  readonly eouMs: Milliseconds | null
  readonly sttMs: Milliseconds | null
  readonly llmMs: Milliseconds | null
  readonly ttsMs: Milliseconds | null
  readonly totalMs: Milliseconds | null
}

/** One entry of the transcript. */
export interface Entry extends ReplyTimes {
  readonly turn: string
  /** Whether a turn of the caller begins with it: words that only confirm, and those that follow, begin none. */
  readonly beginsTurn: boolean
  readonly role: "user" | "assistant"
  readonly text: string
  readonly startedAt: Milliseconds
  readonly durationMs: Milliseconds
  readonly isInterrupted: boolean
  readonly model: string | null
}

/** The sentence that is played. */
export interface Playing {
  /** Null where nothing is. */
  readonly sentence: number | null
  /** Which part of its sound was heard, from 0 to 1. */
  readonly part: number
}

/** The moment of an event. */
export interface Moment {
  readonly now: Milliseconds
  readonly playing: () => Playing
}

export type ConversationCommand =
  /** An utterance begins, with the sound of the 300 ms before. */
  | { readonly _tag: "Listen"; readonly utterance: number; readonly turn: string }
  /** An utterance is over: it is to be transcribed. */
  | { readonly _tag: "Transcribe"; readonly utterance: number }
  | {
      readonly _tag: "Think"
      readonly run: number
      readonly turn: string
      /** For the model, as it is when the run begins: calls of the run before may end until then. */
      readonly history: () => ReadonlyArray<HistoryMessage>
    }
  | { readonly _tag: "CancelRun"; readonly run: number }
  /** Sentences are spoken and played in the order of these commands. */
  | {
      readonly _tag: "Speak"
      readonly sentence: number
      readonly turn: string
      readonly text: string
      readonly isFixed: boolean
    }
  /** Nothing more is sent; the sound of the cut sentence and those after it is kept until `Resume` or `Forget`. */
  | { readonly _tag: "Stop" }
  /** Plays the cut sentence from its beginning, and those after it. */
  | { readonly _tag: "Resume" }
  | { readonly _tag: "Forget" }
  | { readonly _tag: "SetTimer"; readonly name: TimerName; readonly at: Milliseconds }
  | { readonly _tag: "ClearTimer"; readonly name: TimerName }
  | { readonly _tag: "Store"; readonly entry: Entry }
  /** The caller begins to speak: a client drops what it has not played. */
  | { readonly _tag: "CallerSpeaks" }
  | { readonly _tag: "Said"; readonly role: "user" | "assistant"; readonly text: string }
  | { readonly _tag: "AgentSpeaks"; readonly times: ReplyTimes }
  | { readonly _tag: "Latency"; readonly times: ReplyTimes }
  /** The last sound of a reply has gone out. */
  | { readonly _tag: "AgentDone" }
  /** The notice of the recording has been played. */
  | { readonly _tag: "NoticePlayed" }
  | { readonly _tag: "Refuse"; readonly message: string }
  | { readonly _tag: "AfterReply"; readonly what: AfterReply }
  | { readonly _tag: "End"; readonly ending: Ending }
