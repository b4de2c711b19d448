/**
 * The chat channel over Telegram's Bot API.
 *
 * Promises  BOTA-1 one verb is at most one request that changes anything, and nothing is sent twice.
 *           BOTA-2 an update counts only with the secret token that was registered for its bot.
 *           BOTA-3 a bot's token is in no detail and in no answer.
 * Needs     nothing.                             Emits  nothing.
 * Not here  who sends again, and what becomes of a delivery (messaging/ in the core).
 * Read      Telegram.ts, then TelegramUpdate.ts and TelegramMessage.ts; in a file TelegramKind.ts. Source: docs/reference/messaging.md#telegram.
 */
export { InvalidProviderOptions } from "../upstream/UpstreamOptions.ts"
export { layer, telegram } from "./Telegram.ts"
export type { TelegramOptions } from "./TelegramOptions.ts"
