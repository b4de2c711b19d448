/** This room, as the host has it. */
import { room } from "../../platform/room/index.ts"
import { Suppression } from "./Suppression.ts"
import { suppressionGroup } from "./SuppressionApi.ts"
import { suppressionErrors } from "./SuppressionErrors.ts"
import * as SuppressionHttp from "./SuppressionHttp.ts"
import { SuppressionStore } from "./SuppressionStore.ts"

export const Room = room({
  name: "calling/suppression",
  stores: [SuppressionStore],
  layer: Suppression.layer,
  api: () => [suppressionGroup],
  handlers: SuppressionHttp.layer,
  errors: suppressionErrors
})
