/** This room, as the host has it. */
import { room } from "../room/index.ts"
import { eventErrors } from "./EventErrorTable.ts"
import { Outbox } from "./Outbox.ts"
import { Publishing } from "./Publishing.ts"

export const Room = room({ name: "platform/events", parts: Outbox.layer, layer: Publishing.layer, errors: eventErrors })
