/** What refusals of the Bot API mean to a sender. Pure: the table is the rule. Source: docs/reference/messaging.md#telegram. */
import { ChannelRefused, isObject, type RefusalClass } from "@trunkline/core/provider"

const sentences: Readonly<Record<RefusalClass, string>> = {
  throttled: "Telegram takes no more messages for now. Send again later, and less at a time.",
  unavailable: "Telegram is out of order for the moment. Send again later.",
  window_closed: "Telegram does not accept a message to this customer for now.",
  credentials: "Telegram does not accept the bot's token. Connect the bot again with a valid one.",
  not_permitted: "The bot may not do this.",
  recipient_unknown:
    "Telegram cannot deliver to this customer, who has never written to the bot, has blocked it, or is gone.",
  opted_out: "This customer wants no such messages.",
  too_large: "Telegram does not hand out files of this size to bots.",
  invalid_content: "Telegram refuses the message. Check its fields.",
  rejected: "Telegram refused the message."
}

const gone =
  /chat not found|user not found|peer_id_invalid|user_is_blocked|blocked by the user|deactivated|initiate conversation/i

const classes: Readonly<Record<number, RefusalClass>> = {
  401: "credentials",
  403: "recipient_unknown",
  // A token of the right form that is nobody's.
  404: "credentials",
  413: "too_large",
  429: "throttled"
}

/** The class of a refusal: by its code, and of a bad request by what Telegram says about it. */
export const classOf = (code: number, description: string): RefusalClass => {
  if (gone.test(description)) return "recipient_unknown"
  if (/file is too big/i.test(description)) return "too_large"
  return classes[code] ?? (code >= 500 ? "unavailable" : code === 400 ? "invalid_content" : "rejected")
}

const secondsIn = (parameters: unknown): number | null =>
  isObject(parameters) && Number.isSafeInteger(parameters.retry_after) ? (parameters.retry_after as number) : null // a safe integer is a number

/** A refusal of Telegram's. `body` is null where the answer was none of the Bot API's. */
export const refusalOf = (status: number, body: unknown): ChannelRefused => {
  const { description, error_code, parameters } = isObject(body) ? body : { description: "", error_code: status }
  const code = Number.isSafeInteger(error_code) ? (error_code as number) : status // a safe integer is a number
  const kind = classOf(code, typeof description === "string" ? description : "")
  return new ChannelRefused({
    class: kind,
    sentence: sentences[kind],
    code,
    // The server that answers is not the one that delivers.
    isCertain: code < 500,
    retryAfterSeconds: secondsIn(parameters),
    original: null,
    detail: `Telegram refused: status ${status}, code ${code}`
  })
}

/** A refusal that Telegram need not be asked for. */
export const refusedHere = (kind: RefusalClass, sentence: string = sentences[kind]): ChannelRefused =>
  new ChannelRefused({
    class: kind,
    sentence,
    code: null,
    isCertain: true,
    retryAfterSeconds: null,
    original: null,
    detail: `Telegram was not asked: ${sentence}`
  })
