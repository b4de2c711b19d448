/** What refuses the start of a campaign, for the start itself and for the dry run. Pure. Source: docs/reference/template-campaigns.md#start. */
import type { TemplateFacts, TemplateShape } from "../channels/index.ts"
import { optInSentence } from "./CampaignSettings.ts"

/** In the order in which they are reported. */
export const startFaultCodes = [
  "no_contacts",
  "template_missing",
  "template_not_approved",
  "template_category",
  "template_unsupported",
  "opt_in_required",
  "number_disconnected"
] as const
export type StartFaultCode = (typeof startFaultCodes)[number]

export interface StartFault {
  readonly code: StartFaultCode
  /** A sentence that says what to do. */
  readonly message: string
}

export interface StartSituation {
  /** Everybody on the list. */
  readonly contacts: number
  /** The campaign's template, as the network has just described it; null where there is none of this name in this language. */
  readonly template: (Pick<TemplateFacts, "status" | "category"> & { readonly shape: TemplateShape }) | null
  readonly requireOptIn: boolean
  readonly isNumberConnected: boolean
}

/** The sentence of a fault; null where there is none. */
type Rule = (situation: StartSituation) => string | null

const rules: Readonly<Record<StartFaultCode, Rule>> = {
  no_contacts: ({ contacts }) =>
    contacts > 0 ? null : "The campaign has no contacts: add at least one before it starts.",
  template_missing: ({ template }) =>
    template === null
      ? "The business account has no template of this name in this language: create it, or choose another one."
      : null,
  template_not_approved: ({ template }) =>
    template === null || template.status === "APPROVED"
      ? null
      : `The template's status is ${template.status ?? "unknown"}: wait until it is APPROVED, or choose another one.`,
  template_category: ({ template }) =>
    template?.category === "AUTHENTICATION"
      ? "A template of the category AUTHENTICATION sends a code to one person: choose one of another category."
      : null,
  template_unsupported: ({ template }) =>
    template === null || template.shape.unsupported === null
      ? null
      : `The template has a component that a campaign cannot fill, ${template.shape.unsupported}: choose one without it.`,
  opt_in_required: ({ requireOptIn, template }) =>
    template?.category === "MARKETING" && !requireOptIn ? `${optInSentence}.` : null,
  number_disconnected: ({ isNumberConnected }) =>
    isNumberConnected ? null : "The campaign's number is not connected any more: connect it again."
}

/** Everything that refuses the start; none where the campaign may start. */
export const startFaults = (situation: StartSituation): ReadonlyArray<StartFault> =>
  startFaultCodes.flatMap((code) => {
    const message = rules[code](situation)
    return message === null ? [] : [{ code, message }]
  })
