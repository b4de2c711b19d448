/** Reports on emails, for a host that uses promises. */
import * as Schema from "effect/Schema"
import * as Fields from "../../platform/http/Fields.ts"
import { EmailReports } from "../../webhooks/email/index.ts"
import * as Arguments from "../Arguments.ts"
import { type CallOptions, type Method, ofAccount } from "../Facade.ts"

/** Source: docs/reference/webhooks.md#email. */
export interface NewEmailReport {
  /** `email.bounced` or `email.complained`. */
  readonly type: string
  /** The address that the email went to. */
  readonly recipient: string
  /** The id in the email's own header. */
  readonly messageId?: string | null
  /** The id of the service that has sent it. */
  readonly emailId?: string | null
  /** What the receiving server said. */
  readonly detail?: string | null
  /** The domain that it was sent from. */
  readonly domain?: string | null
  /** The same key of one account is recorded once. */
  readonly idempotencyKey?: string | null
}

const emailReport = Arguments.given<NewEmailReport>()(
  Schema.Struct({
    type: Fields.text(1, 64),
    recipient: Fields.text(1, 320),
    messageId: Fields.optional(Fields.text(0, 998)),
    emailId: Fields.optional(Fields.text(0, 998)),
    detail: Fields.optional(Fields.text(0, 10_000)),
    domain: Fields.optional(Fields.text(0, 255)),
    idempotencyKey: Fields.optional(Fields.text(1, 255))
  })
)

export interface EmailFacade {
  /** Records a bounce or a complaint; false when its key has been used before. Source: docs/reference/webhooks.md#email. */
  readonly report: (accountId: string, report: NewEmailReport, options?: CallOptions) => Promise<boolean>
}

const { accountId, callOptions, record } = Arguments

export const emailFacade = (method: Method): EmailFacade => ({
  report: method([accountId, record("report", emailReport), callOptions], (tenantId, given) =>
    ofAccount(
      tenantId,
      EmailReports.use((e) => e.report(tenantId, given))
    )
  )
})
