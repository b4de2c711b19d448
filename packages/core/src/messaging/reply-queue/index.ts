/**
 * Keeps the rows that say which customer is waiting for a reply, since when, and which process is about it.
 *
 * Needs     nothing.                             Emits  nothing.
 * Not here  how a reply is made: messaging/replies.
 * Read      ReplyJob.ts, then ReplySchedule.ts. Source: docs/reference/messaging.md.
 */
export type { ReplyJob, ReplyJobState } from "./ReplyJob.ts"
export { ReplyQueueSignal } from "./ReplyQueueSignal.ts"
export { ReplyQueueStore } from "./ReplyQueueStore.ts"
export { pauseAfter } from "./ReplySchedule.ts"
