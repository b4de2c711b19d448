/** An event as one entry: its name, when it is emitted and by whom, what it carries, and an example. Pure. */
import type * as Schema from "effect/Schema"

/**
 * Who emits an event:
 * - `product` the product
 * - `host`    the host, with `events.publish`; for emails with `email.report`
 * - `never`   nobody yet; subscriptions may name it
 */
export type EventSource = "product" | "host" | "never"

export interface EventEntry<Name extends string = string, Data extends Schema.Codec<object> = Schema.Codec<object>> {
  readonly name: Name
  /** Whose webhooks receive it. */
  readonly surface: "platform" | "email"
  /** Where it stands in lists: those of one place keep the order of their room. */
  readonly place: number
  readonly category: string
  /** When it is emitted, as the end of a sentence. */
  readonly fires: string
  readonly source: EventSource
  /** Its `data` under wire names. */
  readonly data: Data
  readonly example: Data["Type"]
}

/** Makes an entry, whose example the compiler compares with its schema. */
export const event = <const Name extends string, Data extends Schema.Codec<object>>(
  entry: EventEntry<Name, Data>
): EventEntry<Name, Data> => entry
