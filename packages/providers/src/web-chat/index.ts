/**
 * The chat of a web page: a script that the product serves, and the requests of its visitors.
 *
 * Promises  WEBC-1 a message counts once, however often a page sends it.
 *           WEBC-2 a visitor sees their own conversation alone, and pages of listed origins alone reach it.
 *           WEBC-3 a conversation is there again after a reload.
 *           WEBC-4 a visitor's messages, new visitors and the size of a request are limited.
 * Needs     Clock.                               Emits  nothing.
 * Not here  storing and answering (messaging/ in the core), the limit of one address (platform/http/engine/AddressLimit.ts in the core).
 * Read      WebChat.ts, then ChatScript.ts; in a file WebChatKind.ts. Source: docs/reference/messaging.md#web-chat.
 */
export { InvalidProviderOptions } from "../upstream/UpstreamOptions.ts"
export { layer, webChat } from "./WebChat.ts"
export type { WebChatOptions } from "./WebChatOptions.ts"
