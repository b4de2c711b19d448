/** Whether too many messages of a campaign fail for it to go on. Pure. Source: docs/reference/template-campaigns.md#failure-rate. */
import { countsAsFailure } from "./SendResult.ts"
import type { TemplateContact } from "./TemplateContact.ts"

/** The last outcomes that are looked at. */
export const failureWindow = 100

/** Fewer outcomes say nothing. */
export const minOutcomes = 20

/** True where more than this share of the last outcomes are failures. The outcomes are those of contacts that were accepted or have failed, newest first. */
export const failsTooOften = (
  outcomes: ReadonlyArray<Pick<TemplateContact, "status" | "reason">>,
  maxPercent: number
): boolean => {
  const last = outcomes.slice(0, failureWindow)
  return last.length >= minOutcomes && last.filter(countsAsFailure).length * 100 > maxPercent * last.length
}
