/** This room, as the host has it. */
import { room } from "../room/index.ts"
import { storageErrors } from "./StorageErrorTable.ts"

export const Room = room({ name: "storage", errors: storageErrors })
