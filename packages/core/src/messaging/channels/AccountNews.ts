/** What a channel delivers about a business account, its templates and its numbers. Source: docs/reference/messaging.md#account-news. */
import type { Instant } from "../../platform/kernel/index.ts"
import type { JsonObject } from "../messages/JsonObject.ts"
import type { MessagingLimit, Restriction } from "./NumberFacts.ts"

/** What has become of a template. */
export type TemplateNews =
  | {
      readonly _tag: "Status"
      readonly status: string
      readonly reason: string | null
      /** Why it was rejected, in the network's words. */
      readonly rejection: JsonObject | null
      /** When the network will disable it; null where it will not. */
      readonly disableAt: Instant.Instant | null
    }
  | { readonly _tag: "Quality"; readonly quality: string }
  | { readonly _tag: "Category"; readonly category: string }
  /** Its words were changed: they must be read again. */
  | { readonly _tag: "Components" }

export type AccountReport =
  | {
      readonly _tag: "Template"
      readonly id: string
      readonly name: string | null
      readonly language: string | null
      readonly news: TemplateNews
    }
  /** Of a number that is called by its digits: it must be read again. `limit`: null where nothing is said of it. */
  | { readonly _tag: "Number"; readonly phone: string; readonly limit: MessagingLimit | null }
  | { readonly _tag: "NumberName"; readonly phone: string; readonly nameStatus: string }
  /** Of all numbers of the business account. */
  | { readonly _tag: "Limit"; readonly limit: MessagingLimit }
  /** Of a configuration of payments of the business account, in the network's words. */
  | { readonly _tag: "PaymentConfiguration"; readonly name: string; readonly status: string }
  /** Of all numbers of the business account; null where they are restricted no more. */
  | { readonly _tag: "Restriction"; readonly restriction: Restriction | null }

/** What a callback has for one business account. */
export interface AccountNews {
  readonly accountId: string
  /** When the network wrote it; null where it does not say. */
  readonly at: Instant.Instant | null
  readonly reports: ReadonlyArray<AccountReport>
}
