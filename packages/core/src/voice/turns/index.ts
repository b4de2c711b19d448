/**
 * Decides who speaks when: turns, interruptions, prompts, and what of a reply was heard.
 *
 * Promises  CONV-1 one turn has one id and one reply, however often the caller pauses, goes on or is misheard.
 *           CONV-2 nothing of a cancelled run is spoken, stored or known to the model later.
 *           CONV-3 speech of the minimum length, or words that do not only confirm, stop the agent; a false stop is undone.
 *           CONV-4 an interrupted reply is stored and remembered up to the word that was heard.
 *           CONV-5 the agent speaks, waits for somebody who will, or counts the silence: it never stays silent for ever.
 *           CONV-6 a conversation ends once, and does nothing afterwards.
 *           CONV-7 text is spoken sentence by sentence while it is written, without signs that nobody speaks.
 *           CONV-8 a function that has ended is known to every later run, once: nothing is done twice.
 * Needs     nothing.                             Emits  nothing.
 * Not here  sound (platform/audio), models (voice/stages), the run that carries its commands out (voice/live).
 * Read      ConversationState.ts, then the table of Turns.ts. Source: docs/reference/turn-taking.md.
 */

export type {
  AfterReply,
  ConversationCommand,
  ConversationEvent,
  ConversationOptions,
  EndedCall,
  Ending,
  Entry,
  HistoryMessage,
  Moment,
  Playing,
  ReplyTimes,
  SaidMessage,
  SayingKind,
  TimerName
} from "./ConversationEvents.ts"
export { SentenceCutter } from "./SentenceCutter.ts"
export { fitForSpeech } from "./SpokenText.ts"
export { Conversation } from "./Turns.ts"
export { frameMs } from "./Utterances.ts"
