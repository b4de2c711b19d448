/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import type { Brand } from "../../platform/brand/index.ts"
import { change, nothing, storeTopics } from "../../platform/changes/index.ts"
import { room, type Worker } from "../../platform/room/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import { BlockedStore, NumberFactsStore } from "../channels/index.ts"
import * as AppliedReports from "./AppliedReports.ts"
import { numberStatus } from "./NumberEventEntries.ts"
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

const changes = [
  storeTopics(NumberFactsStore, { save: ({ tenantId }) => change(tenantId, "numbers"), claimDue: nothing }),
  // Lists of who is blocked are the network's own.
  storeTopics(BlockedStore, { add: nothing, remove: nothing })
]

export const Room = room({
  name: "messaging/numbers",
  stores: [BlockedStore, NumberFactsStore],
  changes,
  ports: AppliedReports.layer,
  layer: NumberManagement.layer,
  api: (brand: Brand) => [numberManagementGroup(brand)] as const,
  handlers: (brand: Brand) => NumberManagementHttp.layer(brand),
  workers,
  events: [numberStatus]
})
