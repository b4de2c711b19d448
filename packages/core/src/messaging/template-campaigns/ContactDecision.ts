/** Whether a contact may be written to, and what fills its message: one rule for a run and for a dry run. Pure. Source: docs/reference/template-campaigns.md#consent. */
import type { BookEntry } from "../../platform/overview/index.ts"
import type { TemplateShape, TemplateValues } from "../channels/index.ts"
import { skipReason } from "./SendingConsent.ts"
import type { ContactReason } from "./SendResult.ts"
import type { TemplateCampaign } from "./TemplateCampaign.ts"
import type { TemplateContact } from "./TemplateContact.ts"
import { filled } from "./TemplateFill.ts"

/** What is known of a contact when its message is about to be committed. */
export interface ContactFacts {
  readonly isOptedOut: boolean
  readonly isDoNotCall: boolean
  readonly isBlocked: boolean
  readonly isOwnNumber: boolean
  /** Null where the address book has nobody of this number. */
  readonly book: BookEntry | null
}

export type ContactDecision =
  | { readonly _tag: "Send"; readonly values: TemplateValues }
  | { readonly _tag: "Skip"; readonly reason: ContactReason; readonly message: string }

export const decideContact = (
  contact: TemplateContact,
  campaign: Pick<TemplateCampaign, "parameters" | "requireOptIn" | "respectDoNotCall">,
  shape: TemplateShape,
  { book, ...known }: ContactFacts
): ContactDecision => {
  // What an earlier attempt was filled with fills this one too.
  const fill =
    contact.values === null
      ? filled(shape, campaign.parameters, contact, book)
      : ({ _tag: "Filled", values: contact.values } as const)
  const skipped = skipReason({
    ...known,
    hasOptedIn: contact.optedIn || book?.optedIn === true,
    requireOptIn: campaign.requireOptIn,
    respectDoNotCall: campaign.respectDoNotCall,
    missing: fill._tag === "Missing" ? fill.address : null
  })
  if (skipped !== null) return { _tag: "Skip", ...skipped }
  return { _tag: "Send", values: fill._tag === "Filled" ? fill.values : {} }
}
