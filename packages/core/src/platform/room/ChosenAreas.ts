/** What the host has chosen of the product. */
import * as Context from "effect/Context"

/** The names of the areas that are there. */
export const ChosenAreas = Context.Reference<ReadonlyArray<string>>("@trunkline/core/platform/room/ChosenAreas", {
  defaultValue: () => []
})
