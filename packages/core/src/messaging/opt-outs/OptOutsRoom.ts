/** This room, as the host has it. */
import type { Brand } from "../../platform/brand/index.ts"
import { nothing, storeTopics } from "../../platform/changes/index.ts"
import { room } from "../../platform/room/index.ts"
import { optOutErrors } from "./OptOutErrors.ts"
import { contactPreference } from "./OptOutEventEntries.ts"
import { OptOutList } from "./OptOutList.ts"
import { OptOutStore } from "./OptOutStore.ts"
import { OptOuts } from "./OptOuts.ts"
import { optOutsGroup } from "./OptOutsApi.ts"
import * as OptOutsHttp from "./OptOutsHttp.ts"

/** No page shows the list. */
const changes = [storeTopics(OptOutStore, { add: nothing, remove: nothing })]

export const Room = room({
  name: "messaging/opt-outs",
  stores: [OptOutStore],
  changes,
  parts: OptOutList.layer,
  layer: OptOuts.layer,
  api: (brand: Brand) => [optOutsGroup(brand)] as const,
  handlers: (brand: Brand) => OptOutsHttp.layer(brand),
  events: [contactPreference],
  errors: optOutErrors
})
