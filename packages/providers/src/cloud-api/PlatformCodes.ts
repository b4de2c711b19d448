/** What the platform's refusals mean to a sender. Pure: the table is the rule. Source: docs/reference/messaging.md#platform-codes. */
import type { RefusalClass } from "@trunkline/core/provider"

/** The customer has stopped marketing messages of the number at the platform. */
export const optedOutCode = 131050

/** A refusal as far as it is evaluated: the code says more than the status, which is the platform's most general word. */
export interface Refused {
  readonly httpStatus: number
  readonly code: number | null
}

const token = "The platform does not accept the number's access token. Connect the number again with a valid one."
const throttled = "The platform takes no more messages of this number for now. Send again later, and less at a time."
const permission = "The access token may not do this. Connect the number again with one that has the permission."
const passing = "The platform is out of order for the moment. Send again later."
const registration = "The number is not ready on the platform. Finish its registration there."
const template = "The template does not fit what was sent with it. Compare both, parameter by parameter."

const codes: Readonly<Record<number, readonly [RefusalClass, string]>> = {
  0: ["credentials", token],
  1: ["invalid_content", "The platform could not make sense of the request."],
  2: ["unavailable", passing],
  3: ["not_permitted", "The platform has not granted this ability to the access token's app."],
  4: ["throttled", throttled],
  10: ["not_permitted", permission],
  33: [
    "not_permitted",
    "The platform does not know the number. Connect it again with the id that the platform shows for it."
  ],
  100: ["invalid_content", "The platform refuses a field of the message. Check its type and its fields."],
  190: ["credentials", token],
  368: ["not_permitted", "The platform has blocked the account for breaking its policies."],
  80007: ["throttled", throttled],
  130429: ["throttled", throttled],
  130472: ["rejected", "The platform keeps this customer out of marketing messages as part of an experiment."],
  130497: ["not_permitted", "The platform does not let this account send to customers in this country."],
  131000: ["unavailable", passing],
  131005: ["not_permitted", permission],
  131008: ["invalid_content", "The platform misses a field of the message. Add it."],
  131009: ["invalid_content", "The platform refuses the value of a field of the message. Check it."],
  131016: ["unavailable", passing],
  131021: ["recipient_unknown", "A number cannot write to itself. Send to another one."],
  131026: [
    "recipient_unknown",
    "The message cannot be delivered: the customer may not use the platform, or not its present version."
  ],
  131030: [
    "recipient_unknown",
    "The number may write only to customers whose phones are on its list at the platform. Add this one there."
  ],
  131031: ["not_permitted", "The platform has locked the account."],
  131037: ["not_permitted", "The number's display name is not approved by the platform yet."],
  131042: ["not_permitted", "The platform has no valid payment method for the account. Settle that there."],
  131045: ["not_permitted", registration],
  131047: [
    "window_closed",
    "More than 24 hours have passed since the customer's last message. Send a template, or wait for the customer to write."
  ],
  131048: [
    "throttled",
    "The platform has slowed this number down, since too many of its messages were reported as spam."
  ],
  131049: ["rejected", "The platform chose not to deliver this message, to keep the customer's chats in order."],
  [optedOutCode]: ["opted_out", "The customer has stopped marketing messages of this number."],
  131051: ["invalid_content", "The platform does not support this type of message."],
  131052: ["too_large", "The file could not be fetched. Check that it is there, and not too large."],
  131053: ["invalid_content", "The platform does not take this file. Check its type and size."],
  131056: ["throttled", "Too many messages went to this customer within a short time. Send again later."],
  131057: ["unavailable", "The platform is maintaining the account. Send again later."],
  131062: [
    "recipient_unknown",
    "The platform does not deliver this message to the customer's user id. Send it to the customer's phone."
  ],
  131063: [
    "not_permitted",
    "The account may not send marketing messages by this route. Settle that with the platform first."
  ],
  131064: [
    "not_permitted",
    "The platform has found templates of the account in the wrong category, and takes none for now. Correct their categories there."
  ],
  132000: ["invalid_content", template],
  132001: ["invalid_content", "The account has no approved template of this name in this language."],
  132005: ["invalid_content", "The template is too long with these parameters. Shorten them."],
  132007: ["invalid_content", "The template breaks the platform's rules for characters."],
  132008: ["invalid_content", template],
  132012: ["invalid_content", template],
  132015: ["invalid_content", "The platform has paused this template for its poor quality. Send another one."],
  132016: ["invalid_content", "The platform has disabled this template for its poor quality. Send another one."],
  132018: ["invalid_content", template],
  132068: ["rejected", "The message's flow is blocked."],
  132069: ["rejected", "The message's flow is throttled by the platform."],
  133004: ["unavailable", passing],
  133010: ["not_permitted", registration],
  135000: ["invalid_content", "The platform could not make sense of the message. Check its fields."]
}

/** Statuses that say something without a code. */
const statuses: Readonly<Record<number, RefusalClass>> = { 401: "credentials", 429: "throttled" }

/** The codes with which the platform refuses what a token has no permission for. */
export const isPermission = (code: number): boolean => code >= 200 && code <= 299

/** What can be done about a refusal: by its code, and by its status where the code says nothing. */
export const classOf = ({ code, httpStatus }: Refused): RefusalClass => {
  const known = codes[code ?? -1]?.[0]
  if (known !== undefined) return known
  if (code !== null && isPermission(code)) return "not_permitted"
  return statuses[httpStatus] ?? (httpStatus >= 500 ? "unavailable" : "rejected")
}

/**
 * True where a server in front of the platform may have said it, which had no answer of the platform's: nobody knows what
 * became of the request. The platform itself names a code.
 */
export const isInDoubt = ({ code, httpStatus }: Refused): boolean => code === null && httpStatus >= 500

/** A sentence of our own for the sender. It names no code and nothing of what the platform said. */
export const sentenceOf = (refused: Refused): string => {
  const known = codes[refused.code ?? -1]?.[1]
  if (known !== undefined) return known
  if (refused.code !== null && isPermission(refused.code)) return permission
  return general[classOf(refused)] ?? "The platform refused the message."
}

/** Why a message that the platform had accepted was not delivered, by the code of its report. */
export const sentenceOfReport = (code: number | null): string =>
  codes[code ?? -1]?.[1] ?? "The platform reported that the message could not be delivered."

const general: Partial<Record<RefusalClass, string>> = {
  throttled,
  unavailable: passing,
  credentials: token
}
