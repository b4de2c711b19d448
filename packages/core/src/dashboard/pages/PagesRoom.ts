/** This room, as the host has it. */
import { room } from "../../platform/room/index.ts"
import { servedFiles } from "./PagesHttp.ts"

export const Room = room({ name: "dashboard/pages", files: servedFiles })
