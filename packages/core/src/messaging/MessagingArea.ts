/** The chat channels, as the host has them. */
import { area } from "../platform/room/index.ts"
import { Room as compat } from "./compat/CompatRoom.ts"
import { Room as messagingRoom } from "./MessagingRoom.ts"

export const messagingArea = area({ name: "messaging", rooms: [compat, messagingRoom] })
