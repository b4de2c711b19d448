/** What the changes of its contacts make of a campaign: its counts, and whether the service pauses it. Pure. Source: docs/reference/template-campaigns.md#pauses. */
import type { Instant } from "../../platform/kernel/index.ts"
import { type ContactChange, withChanges } from "./ContactChange.ts"
import { invalidInRowLimit, type PauseReason, pauseOf } from "./SendResult.ts"
import type { TemplateCampaign } from "./TemplateCampaign.ts"

/** A campaign whose contacts' changes are counted, and why the service pauses it; null where it does not. */
export interface Counted {
  readonly campaign: TemplateCampaign
  readonly pause: PauseReason | null
}

const accepted: ReadonlyArray<string> = ["sent", "delivered", "read"]

const isAccepted = ({ from, to }: ContactChange): boolean => accepted.includes(to) && !accepted.includes(from)

const invalidAfter = (invalidInRow: number, change: ContactChange): number => {
  if (change.meaning === "invalid_content") return invalidInRow + 1
  return isAccepted(change) ? 0 : invalidInRow
}

/** The changes stand in the order in which they were written. */
export const afterChangesOf = (campaign: TemplateCampaign, changes: ReadonlyArray<ContactChange>): Counted => {
  let { invalidInRow } = campaign
  let pause: PauseReason | null = null
  for (const change of changes) {
    invalidInRow = invalidAfter(invalidInRow, change)
    pause ??= change.meaning === null ? null : pauseOf(change.meaning)
    if (invalidInRow >= invalidInRowLimit) pause ??= "invalid_content"
  }
  return { campaign: { ...withChanges(campaign, changes), invalidInRow }, pause }
}

/** True where the share of failures may have become too large by these changes. */
export const mayFailTooOften = (changes: ReadonlyArray<ContactChange>): boolean =>
  changes.some((change) => change.to === "failed" || isAccepted(change))

/** True where nobody on the list waits for a message or for its outcome. Source: docs/reference/template-campaigns.md#states. */
export const isDone = ({ counts, status }: TemplateCampaign): boolean =>
  status === "running" && counts.queued === 0 && counts.sending === 0

/** A campaign that was completed and goes on, because some of its contacts are to be written to again. */
export const begunAnew = (campaign: TemplateCampaign, at: Instant.Instant): TemplateCampaign => ({
  ...campaign,
  status: "running",
  completedAt: null,
  failuresSince: at,
  invalidInRow: 0,
  nextTurnAt: at,
  updatedAt: at
})

/** True of a completed campaign one of whose messages was reported as failed, and is to be sent once more. */
export const isToBeginAnew = ({ counts, status }: TemplateCampaign): boolean =>
  status === "completed" && counts.queued > 0

/** A running campaign that the service has paused. */
export const pausedFor = (
  campaign: TemplateCampaign,
  pauseReason: PauseReason,
  at: Instant.Instant
): TemplateCampaign => ({ ...campaign, status: "paused", pauseReason, nextTurnAt: null, updatedAt: at })

/** A running campaign that has nothing left to do. */
export const completedAt = (campaign: TemplateCampaign, at: Instant.Instant): TemplateCampaign => ({
  ...campaign,
  status: "completed",
  nextTurnAt: null,
  completedAt: at,
  updatedAt: at
})
