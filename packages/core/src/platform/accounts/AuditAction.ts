/** What the audit log records, by its names. Pure. Source: docs/reference/access.md#audit. */

export const auditActions = [
  "account.change",
  "account.create",
  "agent.change",
  "agent.delete",
  "campaign.delete",
  "campaign.import",
  "campaign.retry",
  "campaign.status",
  "contact.delete",
  "conversation.change",
  "credits.add",
  "email.suppression.delete",
  "key.change",
  "key.create",
  "key.revoke",
  "key.rotate",
  "member.change",
  "member.create",
  "member.delete",
  "member.link",
  "member.password",
  "number.taken_over",
  "session.create",
  "session.delete",
  "suppression.delete",
  "suppression.import",
  "token.create",
  "webhook.delete",
  "webhook.delivery.replay",
  "webhook.recover",
  "webhook.rotate_secret"
] as const

export type AuditAction = (typeof auditActions)[number]
