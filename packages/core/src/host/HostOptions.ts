/** What a host decides about the product as a whole. Pure. */
import { Settings } from "../platform/settings/index.ts"
import { type AreaChoice, type AreaName, areaNames } from "./AreaChoice.ts"

/** It is written out, since `createTrunkline` finds the names of the areas in it. */
export interface HostOptions<Names extends AreaName = AreaName> {
  /** What the product has; all areas where it is left out. Source: docs/reference/embedding.md#areas. */
  readonly areas?: ReadonlyArray<AreaChoice<Names>>
}

const isChoice = (given: unknown): boolean =>
  typeof given === "object" && given !== null && "area" in given && areaNames.some((name) => name === given.area)

/** HostOptions has their sentences. */
export const settings = {
  areas: Settings.hostOnly(
    Settings.value<NonNullable<HostOptions["areas"]>>(
      `must be a list of one or more areas that @trunkline/core exports: ${areaNames.join(", ")}`,
      (given) => Array.isArray(given) && given.length > 0 && given.every(isChoice)
    )
  )
}
