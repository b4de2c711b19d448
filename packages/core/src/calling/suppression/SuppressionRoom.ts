/** This room, as the host has it. */
import * as Layer from "effect/Layer"
import { after, change, nothing, storeTopics } from "../../platform/changes/index.ts"
import { room } from "../../platform/room/index.ts"
import { Suppression } from "./Suppression.ts"
import { suppressionGroup } from "./SuppressionApi.ts"
import { suppressionErrors } from "./SuppressionErrors.ts"
import * as SuppressionHttp from "./SuppressionHttp.ts"
import { SuppressionImportStore } from "./SuppressionImportStore.ts"
import { SuppressionImports } from "./SuppressionImports.ts"
import { SuppressionStore } from "./SuppressionStore.ts"

const changes = [
  storeTopics(SuppressionStore, {
    add: after((isAdded, { tenantId }) => (isAdded ? change(tenantId, "suppression") : null)),
    remove: after((isRemoved, tenantId) => (isRemoved ? change(tenantId, "suppression") : null))
  }),
  storeTopics(SuppressionImportStore, {
    stage: nothing,
    apply: after((added, { tenantId }) => (added > 0 ? change(tenantId, "suppression") : null))
  })
]

export const Room = room({
  name: "calling/suppression",
  stores: [SuppressionStore, SuppressionImportStore],
  changes,
  layer: Layer.provideMerge(SuppressionImports.layer, Suppression.layer),
  api: () => [suppressionGroup],
  handlers: SuppressionHttp.layer,
  errors: suppressionErrors
})
