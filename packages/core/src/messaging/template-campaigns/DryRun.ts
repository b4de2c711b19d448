/** What a campaign would do if it started at once. Source: docs/reference/template-campaigns.md#dry-run. */
import type { JsonObject } from "../messages/JsonObject.ts"
import type { CostEstimate } from "./CostEstimate.ts"
import type { CampaignNumber, CampaignTemplate } from "./LiveCampaign.ts"
import type { ContactReason } from "./SendResult.ts"
import type { StartFault } from "./StartCheck.ts"
import type { TemplateContact } from "./TemplateContact.ts"

/** A message as it would be sent. */
export interface DrySample {
  readonly contactId: TemplateContact["id"]
  /** The digits, or the network's id of the person. */
  readonly to: string
  /** In the words of the public API. */
  readonly template: JsonObject
  /** The words of the message. */
  readonly text: string
}

export interface DryRun {
  readonly contacts: number
  readonly sendable: number
  readonly skipped: Readonly<Partial<Record<ContactReason, number>>>
  /** What would refuse the start. */
  readonly errors: ReadonlyArray<StartFault>
  readonly warnings: ReadonlyArray<{ readonly code: string; readonly message: string }>
  readonly samples: ReadonlyArray<DrySample>
  readonly template: CampaignTemplate & { readonly name: string; readonly language: string }
  readonly number: CampaignNumber
  readonly estimate: CostEstimate
  /** At the rate of the campaign, hours and limits left out. */
  readonly durationSeconds: number
}
