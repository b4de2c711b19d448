/** The contracts of this room, but for what channels deliver. */
import type { Brand } from "../../platform/brand/index.ts"
import { channelsGroup, connectedNumbersGroup } from "./ConnectedNumbersApi.ts"
import { conversationsGroup } from "./ConversationsApi.ts"
import { messagesGroup } from "./MessagesApi.ts"
import { mediaGroup } from "./PlatformFilesApi.ts"

export const messagingGroups = (brand: Brand) =>
  [
    channelsGroup(brand),
    connectedNumbersGroup(brand),
    conversationsGroup(brand),
    messagesGroup(brand),
    mediaGroup(brand)
  ] as const
