/** An area as the host sees it: what a host takes, or leaves out, as a whole. */
import * as Layer from "effect/Layer"
import type { Brand } from "../brand/index.ts"
import type { Settings } from "../settings/index.ts"
import type { Room } from "./Room.ts"

export interface Area {
  readonly name: string
  /** Each stands on those after it. */
  readonly rooms: ReadonlyArray<Room>
  /** Its options, each with its type, its default, its bounds and the sentence above it. */
  readonly settings: Settings.Settings
  /** What must hold of several options together, by the section in which a fault is reported. */
  readonly rules: Readonly<Record<string, unknown>>
  /** What the options say, as the rooms know it. */
  readonly configured: (options: never, brand: Brand) => Layer.Any
  /** The services that the host has passed, and those that stand on the storage: below the rooms, above the configured values. */
  readonly opened: (options: never) => Layer.Any
}

const nothing = {
  settings: {},
  rules: {},
  configured: () => Layer.empty,
  opened: () => Layer.empty
} as const

type Complete<A> = Omit<typeof nothing, keyof A> & A

/** Makes an area: what it does not name it does not have. Its types stay as they are written, so that the host's folds prove that nothing is missing. */
export const area = <const A extends Partial<Area> & Pick<Area, "name" | "rooms">>(given: A): Complete<A> => ({
  ...nothing,
  ...given
})
