/** What a network's code says of a message that it has refused or not delivered. Source: docs/reference/template-campaigns.md#codes. */

/**
 * - `throttled` the number sends too much for now
 * - `pair_rate` too many messages went to this customer within a short time
 * - `passing` the network is out of order for the moment
 * - `classification` the network has found templates in the wrong category
 * - `spam_rate` too many of the number's messages were reported as spam
 * - `marketing_limit` the network keeps marketing messages from this customer for now
 * - `experiment` the network keeps this customer out of marketing messages
 * - `opted_out` the customer has stopped marketing messages at the network
 * - `undeliverable` this customer cannot be reached
 * - `country` the account may not send to this country
 * - `invalid_content` the network refuses the message as it is
 * - `template_missing`, `template_paused`, `template_disabled` no message of this template is accepted
 * - `flow_blocked` the flow of the template is blocked
 * - `marketing_not_permitted` the account may not send marketing messages
 * - `credentials`, `payment`, `account_restricted` the network accepts no message of this number
 * - `rejected` refused for any other reason
 */
export const sendMeanings = [
  "throttled",
  "pair_rate",
  "passing",
  "classification",
  "spam_rate",
  "marketing_limit",
  "experiment",
  "opted_out",
  "undeliverable",
  "country",
  "invalid_content",
  "template_missing",
  "template_paused",
  "template_disabled",
  "flow_blocked",
  "marketing_not_permitted",
  "credentials",
  "payment",
  "account_restricted",
  "rejected"
] as const
export type SendMeaning = (typeof sendMeanings)[number]
