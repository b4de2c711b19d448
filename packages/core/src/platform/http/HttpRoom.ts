/** This room, as the host has it. */
import * as Layer from "effect/Layer"
import { room } from "../room/index.ts"
import * as PlatformAuth from "./PlatformAuth.ts"
import * as SchemaFaults from "./SchemaFaults.ts"

export const Room = room({
  name: "platform/http",
  middleware: () => Layer.merge(PlatformAuth.layer, SchemaFaults.layer)
})
