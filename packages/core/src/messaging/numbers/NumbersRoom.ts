/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import type { Brand } from "../../platform/brand/index.ts"
import { room, type Worker } from "../../platform/room/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import * as AppliedReports from "./AppliedReports.ts"
import { numberStatus } from "./NumberEvents.ts"
import { NumberManagement } from "./NumberManagement.ts"
import { numberManagementGroup } from "./NumberManagementApi.ts"
import * as NumberManagementHttp from "./NumberManagementHttp.ts"

/** A number is read within a minute of the reason to. */
const pollMs = 5000

const workers = Effect.map(
  NumberManagement,
  ({ nextRead, readDue }) =>
    [
      {
        name: "reading what is known of numbers",
        switch: "replies",
        nextDue: nextRead,
        onlyWhenDue: true,
        pollMs,
        tick: Effect.as(readDue, "more" as const)
      }
    ] satisfies ReadonlyArray<Worker<StorageError>>
)

export const Room = room({
  name: "messaging/numbers",
  ports: AppliedReports.layer,
  layer: NumberManagement.layer,
  api: (brand: Brand) => [numberManagementGroup(brand)] as const,
  handlers: (brand: Brand) => NumberManagementHttp.layer(brand),
  workers,
  events: [numberStatus]
})
