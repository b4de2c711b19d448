/** This room, as the host has it. */
import { room } from "../../platform/room/index.ts"
import { csvErrors } from "./CsvErrors.ts"
import { ImportPlaces } from "./ImportPlaces.ts"

export const Room = room({ name: "calling/csv", stores: [ImportPlaces], errors: csvErrors })
