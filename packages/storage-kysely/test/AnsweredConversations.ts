/** Conversations of an earlier release, which knew nothing of the plan's: answered by an agent, by a person, and ended. */
const id = (n: number): string => `01890000-0000-7000-8000-00000000000${n}`

/** The migration that counts them. */
export const countingConversations = "conversations of the plan"

const conversation = (n: number, status: string, off: string): string =>
  `('${id(n)}', '${id(9)}', '${id(9)}', '${id(n)}', ${off}, '${status}', 0, 0)`

const message = (n: number, direction: string, role: string): string =>
  `('${id(n)}', '${id(9)}', '${id(9)}', '${id(n)}', '${id(n)}', '${direction}', '${role}', 'text', '{}', 'sent', 0)`

export const conversationsBefore = (off: string): string =>
  `insert into conversations (id, tenant_id, phone_id, customer_id, ai_autoreply_enabled, status, last_message_at, created_at)
  values ${[conversation(1, "open", off), conversation(2, "open", off), conversation(3, "ended", off)].join(", ")};
  insert into chat_messages (id, tenant_id, phone_id, customer_id, conversation_id, direction, role, type, body, status, created_at)
  values ${[message(1, "outbound", "assistant"), message(2, "outbound", "agent"), message(3, "inbound", "user")].join(", ")}`

/** Reads what must be there afterwards. */
export const readCounted = "select id from conversations where is_counted = true order by id"

export const countedConversations = [[id(1)]]
