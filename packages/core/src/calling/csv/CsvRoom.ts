/** This room, as the host has it. */
import { room } from "../../platform/room/index.ts"
import { ImportPlaces } from "./ImportPlaces.ts"

export const Room = room({ name: "calling/csv", stores: [ImportPlaces] })
