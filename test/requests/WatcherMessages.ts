/** What the run and the process of the second tenant say to each other. */

/** What it sends, and how often in milliseconds. An upload also waits for the chat platform. */
export const kinds = [
  ["health", 30],
  ["list", 70],
  ["chat", 150],
  ["upload", 2000]
] as const

export interface Sample {
  readonly kind: (typeof kinds)[number][0]
  readonly at: number
  readonly ms: number
  /** 0 without an answer. */
  readonly status: number
}

export interface WatchSettings {
  /** What its models say. */
  readonly says: string
}

export type WatchOrder =
  | {
      readonly order: "watch"
      readonly url: string
      readonly key: string
      readonly model: string
      readonly number: string
    }
  | { readonly order: "stop" }
  | { readonly order: "samples" }

export type WatchReport = { readonly port: number } | { readonly samples: ReadonlyArray<Sample> }
