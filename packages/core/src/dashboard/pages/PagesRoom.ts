/** This room, as the host has it. */
import { room } from "../../platform/room/index.ts"
import { servedFiles } from "./ServedFiles.ts"

export const Room = room({ name: "dashboard/pages", files: servedFiles })
