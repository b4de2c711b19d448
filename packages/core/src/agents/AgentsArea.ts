/** Agents and what they know, as the host has them. */
import { area } from "../platform/room/index.ts"
import { Room as agentsRoom } from "./BotsRoom.ts"
import { Room as replying } from "./replying/ReplyingRoom.ts"

export const agentsArea = area({ name: "agents", rooms: [replying, agentsRoom] })
