/**
 * Decides how messages of the chat channels are handled: whose a number is, what is kept, when free text may be sent, when an
 * agent replies and how its reply goes out.
 *
 * Promises  CHAT-1 what was acknowledged is stored; what is delivered again changes nothing.
 *           CHAT-2 a message group gets one reply, which knows all of its messages; replies in one conversation never overlap.
 *           CHAT-3 what was switched off or taken over by the time a reply is committed gets no reply.
 *           CHAT-4 no part of a reply is sent twice, and none before the one in front of it.
 *           CHAT-5 where a channel has a reply window, free text is sent within it and a template at any time.
 *           CHAT-6 a status never moves a message backwards, and one that comes before its message is kept for it.
 *           CHAT-7 a token is never returned and never logged.
 *           CHAT-8 the error of a message and of its events is a sentence of our own with the channel's code, never its text.
 *           CHAT-9 a message group whose answer a fail-over of the database may have lost is not answered again once the channel reports it.
 *           CHAT-10 a number is connected with its network's word for whose it is, or its id is its first account's for good.
 * Needs     ConnectedNumberStore, CustomerStore, ConversationStore, MessageStore, ReplyQueueStore, UnmatchedStatusStore, ChatChannels, MessagingSettings, Outbox, bots, ConversationQuota, Accounts.
 * Emits     nothing by itself: messaging/customers says what happens to a conversation.
 * Not here  what an agent says (agents/replying), how a model is run (gateway/run), what a channel's network understands (providers).
 * Rooms     messages, channels, reply-queue, conversations, customers, opt-outs, sending, replies, inbound, routes, templates, numbers, template-campaigns, compat, analytics.
 * Read      channels, messages, customers, reply-queue, then inbound and replies. Source: docs/reference/messaging.md.
 */
export { messagingArea } from "./MessagingArea.ts"
export { MessagingSettings, standardReply } from "./MessagingSettings.ts"
