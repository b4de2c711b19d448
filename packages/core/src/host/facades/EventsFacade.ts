/** Events, for a host that uses promises. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { BotNotFound, Bots } from "../../agents/bots/index.ts"
import {
  type Catalogue,
  cursorForm,
  type Event,
  type EventName,
  type Outbox,
  Publishing,
  type Recorded,
  type TypedEvent
} from "../../platform/events/index.ts"
import * as Fields from "../../platform/http/Fields.ts"
import * as Arguments from "../Arguments.ts"
import { type CallOptions, type Method, ofAccount } from "../Facade.ts"
import * as Ids from "../HostIds.ts"
import { schemaRefused } from "../TrunklineError.ts"

/** Source: docs/reference/events.md#publishing. */
export interface NewPublication {
  /** The name of the event, as webhooks subscribe to it. */
  readonly event: string
  /** A JSON object. */
  readonly data: unknown
  /** The agent that the event is about. */
  readonly botId?: string | null
  /** The same key of one account publishes once. */
  readonly idempotencyKey?: string | null
}

const publication = Arguments.given<NewPublication>()(
  Schema.Struct({
    event: Fields.text(1, 255),
    data: Arguments.jsonObject,
    botId: Fields.optional(Ids.schema<"Bot">()),
    idempotencyKey: Fields.optional(Fields.text(1, 255))
  })
)

/** An event and its place in the order of all. */
export type RecordedEvent = TypedEvent & Pick<Recorded, "cursor">

export interface EventsFacade {
  /** Hears events after their commit, in the process that committed them. The answer stops it. */
  readonly on: <Name extends EventName | "*">(
    name: Name,
    handler: (event: TypedEvent<Name extends EventName ? Name : EventName>) => void | Promise<void>
  ) => () => void
  /** The durable way: every committed event after a cursor (null: from the first); 1 to 1000, 100 unless a limit is given. */
  readonly read: (cursor: string | null, limit?: number, options?: CallOptions) => Promise<ReadonlyArray<RecordedEvent>>
  /** Publishes an event whose source is the host; answers its id. Source: docs/reference/events.md#publishing. */
  readonly publish: (accountId: string, publication: NewPublication, options?: CallOptions) => Promise<string>
}

const standardLimit = 100

const { accountId, argument, callOptions, record } = Arguments

const cursor = argument(
  "cursor",
  Schema.NullOr(
    Schema.String.check(
      Schema.makeFilter(
        (text: string) => cursorForm.test(text) || "Expected a cursor of an event that was read, or null"
      )
    )
  )
)

const nameOf = ({ entries }: Catalogue) => argument("name", Schema.Literals([...entries.map(({ name }) => name), "*"]))
const handler = argument(
  "handler",
  Schema.declare((given): given is (event: Event) => void | Promise<void> => typeof given === "function", {
    expected: "a function"
  })
)

/** Without agents there is none that an event could be about. */
const knownBot = Effect.fnUntraced(function* (tenantId: Ids.AccountId, botId: Ids.BotId) {
  const bots = Option.getOrNull(yield* Effect.serviceOption(Bots))
  return bots === null ? yield* new BotNotFound({ id: botId }) : yield* bots.get(tenantId, botId)
})

export const eventsFacade = (method: Method, outbox: Outbox["Service"], catalogue: Catalogue): EventsFacade => ({
  on: (given, listener) => {
    const read = [nameOf(catalogue).read(given), handler.read(listener)]
    const faults = read.flatMap((one) => (one._tag === "Failure" ? one.failure : []))
    if (faults.length > 0) throw schemaRefused(faults)
    // What stands in an event is what the catalogue says of its name.
    const hears = listener as unknown as (event: Event) => void | Promise<void>
    return outbox.on(given, (event) => Effect.promise(async () => await hears(event)))
  },
  read: method(
    [cursor, argument("limit", Schema.UndefinedOr(Fields.integer(1, 1000))), callOptions],
    (from, limit = standardLimit) =>
      Effect.map(outbox.read(from, limit), (events) => events as ReadonlyArray<unknown> as ReadonlyArray<RecordedEvent>)
  ),
  publish: method([accountId, record("publication", publication), callOptions], (tenantId, given) => {
    const botId = given.botId ?? null
    return ofAccount(
      tenantId,
      Effect.gen(function* () {
        if (botId !== null) yield* knownBot(tenantId, botId)
        return yield* Publishing.use((p) => p.publish(tenantId, { ...given, botId }))
      })
    )
  })
})
