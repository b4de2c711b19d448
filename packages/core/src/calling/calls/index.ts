/**
 * Decides whether a call may be placed, and what its life has been.
 *
 * Promises  TELE-1 every outbound call passes one admission: account, feature, suppression, credit, and a committed row.
 *           TELE-2 a carrier is asked at most once for one call; an unknown outcome is settled from its own record.
 *           TELE-3 a call only ever moves forward, however late, repeated or disordered its reports are.
 *           TELE-4 a call that has to end is asked to end until it has, across crashes.
 *           TELE-5 an answered minute is covered by reserved credit before it begins, unless its plan deducts nothing.
 *           TELE-6 a carrier's record belongs to one call: calls that cannot be distinguished end unknown.
 *           TELE-7 a call whose carrier answers is closed within three minutes of its end, whatever reports were lost.
 *           TELE-8 our own outage is never counted as the carrier's silence.
 *           TELE-9 a token connects the media of one open call, once, in whatever process; only its digest is stored.
 *           TELE-10 an agent answers a call where it can converse and the carrier brings sound; any other call is spoken to.
 *           TELE-11 a call that an agent is to answer has a place for its session and a conversation of the plan before it is placed.
 *           TELE-12 an answered call whose media is not connected to its agent in time is hung up, across crashes.
 *           TELE-13 a call that a fail-over of the database may have lost is looked up, and not placed again.
 * Needs     CallStore, CallTokenStore, CallSupervisionStore, StartSlotStore, NumberStore, Carrier, Suppression, Credits, Accounts, CallWatcher, SessionPlaces, ConversationQuota.
 * Emits     call.started, call.completed, call.failed, call.amd_detected.
 * Not here  when and whom a campaign dials (calling/campaigns); what carriers exist (packages/providers).
 * Read      Call.ts, then CallAdmission.ts, then Calls.ts and CallSupervisor.ts. Source: docs/reference/telephony.md.
 */

export { AgentPlaces, type AgentRefusal, type SessionOwner, SessionPlaces } from "./AgentPlaces.ts"
export * as CallLife from "./Call.ts"
export { type Call, callEntity, type StopReason } from "./Call.ts"
export {
  type AdmissionOptions,
  type AdmissionResult,
  CallAdmission,
  type CallRequest,
  type Refusal
} from "./CallAdmission.ts"
export { CallConversations } from "./CallConversations.ts"
export { needsCredit } from "./CallCredit.ts"
export * from "./CallErrors.ts"
export { callErrors } from "./CallErrors.ts"
export * as CallEvents from "./CallEvents.ts"
export { changeLeg } from "./CallLegs.ts"
export { CallListStore } from "./CallListStore.ts"
export { type CallAgent, CallMedia, type Comeback, noAgent } from "./CallMedia.ts"
export { layerCallMedia } from "./CallMediaTokens.ts"
export type { CallNews, Failure, FinalStatus } from "./CallNews.ts"
export { CallPlacer } from "./CallPlacer.ts"
export { CallReports } from "./CallReports.ts"
export type { CallSearch } from "./CallSearch.ts"
export { type AnsweredBy, CallStatus, callStatuses, type EndReason, OpenCallStatus } from "./CallStatus.ts"
export { type CallFilter, CallStore } from "./CallStore.ts"
export {
  type CallClaim,
  CallSupervisionStore,
  type CarrierRecordId,
  type UnnamedFilter
} from "./CallSupervisionStore.ts"
export { CallSupervisor } from "./CallSupervisor.ts"
export { type AdmissionRefused, Calls, type NewCall } from "./Calls.ts"
export { CallTokenStore } from "./CallTokenStore.ts"
export { CallTranscripts } from "./CallTranscripts.ts"
export { CallTransitions } from "./CallTransitions.ts"
export { CallWatcher, type Followed, type Moved, type Unplaced } from "./CallWatcher.ts"
export * as CancelSuppressedCalls from "./CancelSuppressedCalls.ts"
export * from "./Carrier.ts"
export { ExpectedAnswers } from "./ExpectedAnswers.ts"
export { makeKnownCalls } from "./KnownCalls.ts"
export { type NotedOutcome, NotedOutcomeBody, notedOutcome } from "./NotedOutcome.ts"
export {
  type CallerNumber,
  callerNumberEntity,
  NumberStore,
  type VoicemailTemplate,
  voicemailTemplateEntity
} from "./NumberStore.ts"
export { type NewTemplate, Numbers, NumberUses } from "./Numbers.ts"
export { type StartSlot, StartSlotStore } from "./StartSlotStore.ts"
export { type AgentMeans, type AnswerPolicy, answerFor, TelephonySettings } from "./TelephonySettings.ts"
export {
  type ToolCallRecord,
  type TranscriptEntry,
  TranscriptRecord,
  TranscriptRole,
  transcriptEntryFields
} from "./Transcript.ts"
export { TranscriptBody, transcriptOffset, transcriptTexts } from "./TranscriptApi.ts"
