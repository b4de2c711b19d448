/** What the errors of this room are to callers: the status of the HTTP interface and the code. */
import type { ErrorTable } from "../platform/room/index.ts"

export const webhookErrors = {
  DeliveryNotFound: { status: 404, code: "delivery_not_found" },
  EmailEntryNotFound: { status: 404, code: "email_entry_not_found" },
  EmailReportRefused: { status: 422, code: "email_report_refused" },
  WebhookNotFound: { status: 404, code: "webhook_not_found" },
  WebhookPaused: { status: 400, code: "webhook_paused" },
  WebhookUrlRefused: { status: 400, code: "webhook_url_refused" }
} as const satisfies ErrorTable
