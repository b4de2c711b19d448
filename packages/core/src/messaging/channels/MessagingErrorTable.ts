/** What the errors of this room are to callers: the status of the HTTP interface and the code. */
import type { ErrorTable } from "../../platform/room/index.ts"

export const messagingErrors = {
  ConnectedNumberNotFound: { status: 404, code: "connected_number_not_found" },
  ConversationEnded: { status: 409, code: "conversation_ended" },
  ConversationNotFound: { status: 404, code: "conversation_not_found" },
  FileRoomTaken: { status: 429, code: "file_room_taken" },
  InvalidMessage: { status: 422, code: "invalid_message" },
  NumberNotProven: { status: 422, code: "number_not_proven" },
  NumberTaken: { status: 409, code: "number_taken" },
  PlatformDown: { status: 502, code: "platform_down" },
  PlatformMissing: { status: 503, code: "platform_missing" },
  PlatformRefusal: { status: 422, code: "platform_refusal" },
  PlatformThrottled: { status: 429, code: "platform_throttled" },
  WindowClosed: { status: 422, code: "window_closed" }
} as const satisfies ErrorTable
