/** This room, as the host has it. */
import { after, change, storeTopics } from "../../platform/changes/index.ts"
import { room } from "../../platform/room/index.ts"
import { Suppression } from "./Suppression.ts"
import { suppressionGroup } from "./SuppressionApi.ts"
import { suppressionErrors } from "./SuppressionErrors.ts"
import * as SuppressionHttp from "./SuppressionHttp.ts"
import { SuppressionStore } from "./SuppressionStore.ts"

const changes = [
  storeTopics(SuppressionStore, {
    add: after((isAdded, { tenantId }) => (isAdded ? change(tenantId, "suppression") : null)),
    remove: after((isRemoved, tenantId) => (isRemoved ? change(tenantId, "suppression") : null))
  })
]

export const Room = room({
  name: "calling/suppression",
  stores: [SuppressionStore],
  changes,
  layer: Suppression.layer,
  api: () => [suppressionGroup],
  handlers: SuppressionHttp.layer,
  errors: suppressionErrors
})
