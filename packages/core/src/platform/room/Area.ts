/** An area as the host sees it: what a host takes, or leaves out, as a whole. */
import type { Room } from "./Room.ts"

export interface Area {
  readonly name: string
  /** Each stands on those after it. */
  readonly rooms: ReadonlyArray<Room>
}

/** Makes an area. Its types stay as they are written, so that the host's folds prove that nothing is missing. */
export const area = <const A extends Area>(given: A): A => given
