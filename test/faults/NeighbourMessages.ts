/** What the run and the process of its neighbours say to each other. */
import type { Mood, Neighbour } from "./Moods.ts"

/** What a schedule aims at. */
export interface Aimed {
  /** What becomes of every order to the carrier, where a schedule aims at that. */
  readonly orders?: Mood
  /** Callbacks of this event are all lost. */
  readonly losesCallbacks?: string
  /** Most phones ring for long. */
  readonly ringsLong?: boolean
}

export interface NeighbourSettings extends Aimed {
  readonly folder: string
  readonly seed: number
  /** 1: as often in trouble as planned; 0: in good order. */
  readonly trouble: number
}

/** A signal to a process of the product, some milliseconds after the neighbour has answered it. */
export interface Armed {
  readonly id: number
  readonly neighbour: Neighbour
  readonly process: number
  readonly delayMs: number
  readonly signal: "SIGKILL" | "SIGSTOP"
}

export type NeighbourOrder =
  | { readonly order: "processes"; readonly addresses: ReadonlyArray<string> }
  | { readonly order: "pid"; readonly process: number; readonly pid: number }
  | { readonly order: "secret"; readonly endpoint: string; readonly secret: string }
  | { readonly order: "says"; readonly customer: string; readonly message: string; readonly text: string }
  | { readonly order: "outage"; readonly neighbour: Neighbour; readonly isOut: boolean }
  | { readonly order: "arm"; readonly armed: Armed }
  | { readonly order: "disarm"; readonly id: number }

export type NeighbourReport = { readonly port: number } | { readonly fired: number } | { readonly missed: number }
