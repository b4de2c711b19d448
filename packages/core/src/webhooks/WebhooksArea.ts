/** Webhooks, as the host has them. */
import { area } from "../platform/room/index.ts"
import { Room as webhooksRoom } from "./WebhooksRoom.ts"

export const webhooksArea = area({ name: "webhooks", rooms: [webhooksRoom] })
