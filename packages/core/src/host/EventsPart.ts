/** Events and reports on emails, for a host that uses promises. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Bots } from "../bots/index.ts"
import {
  cursorForm,
  type Event,
  type EventName,
  emailEvents,
  type Outbox,
  Publishing,
  platformEvents,
  type Recorded
} from "../events/index.ts"
import * as Fields from "../http/Fields.ts"
import { Ids } from "../kernel/index.ts"
import { EmailReports } from "../webhooks/index.ts"
import * as Arguments from "./Arguments.ts"
import { type CallOptions, type Method, ofAccount } from "./Part.ts"
import { schemaRefused } from "./TrunklineError.ts"

/** Source: docs/events.md#publishing. */
export interface NewPublication {
  readonly event: string
  /** A JSON object. */
  readonly data: unknown
  /** The agent that the event is about. */
  readonly botId?: string | null
  /** The same key of one account publishes once. */
  readonly idempotencyKey?: string | null
}

/** Source: docs/webhooks.md#email. */
export interface NewEmailReport {
  /** `email.bounced` or `email.complained`. */
  readonly type: string
  readonly recipient: string
  readonly messageId?: string | null
  readonly emailId?: string | null
  readonly detail?: string | null
  readonly domain?: string | null
  /** The same key of one account is recorded once. */
  readonly idempotencyKey?: string | null
}

const idempotencyKey = Fields.optional(Fields.text(1, 255))

const publication = Arguments.given<NewPublication>()(
  Schema.Struct({
    event: Fields.text(1, 255),
    data: Arguments.jsonObject,
    botId: Fields.optional(Ids.schema<"Bot">()),
    idempotencyKey
  })
)

const emailReport = Arguments.given<NewEmailReport>()(
  Schema.Struct({
    type: Fields.text(1, 64),
    recipient: Fields.text(1, 320),
    messageId: Fields.optional(Fields.text(0, 998)),
    emailId: Fields.optional(Fields.text(0, 998)),
    detail: Fields.optional(Fields.text(0, 10_000)),
    domain: Fields.optional(Fields.text(0, 255)),
    idempotencyKey
  })
)

export interface EventsPart {
  /** Hears events after their commit, in the process that committed them. The answer stops it. */
  readonly on: (name: EventName | "*", handler: (event: Event) => void | Promise<void>) => () => void
  /** The durable way: every committed event after a cursor (null: from the first); 1 to 1000, 100 unless a limit is given. */
  readonly read: (cursor: string | null, limit?: number, options?: CallOptions) => Promise<ReadonlyArray<Recorded>>
  /** Publishes an event whose source is the host; answers its id. Source: docs/events.md#publishing. */
  readonly publish: (accountId: string, publication: NewPublication, options?: CallOptions) => Promise<string>
}

export interface EmailPart {
  /** Records a bounce or a complaint; false when its key has been used before. Source: docs/webhooks.md#email. */
  readonly report: (accountId: string, report: NewEmailReport, options?: CallOptions) => Promise<boolean>
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

const name = argument("name", Schema.Literals([...platformEvents, ...emailEvents, "*"]))
const handler = argument(
  "handler",
  Schema.declare((given): given is (event: Event) => void | Promise<void> => typeof given === "function", {
    expected: "a function"
  })
)

export const eventsPart = (method: Method, outbox: Outbox["Service"]): EventsPart => ({
  on: (given, listener) => {
    const read = [name.read(given), handler.read(listener)]
    const faults = read.flatMap((one) => (one._tag === "Failure" ? one.failure : []))
    if (faults.length > 0) throw schemaRefused(faults)
    return outbox.on(given, (event) => Effect.promise(async () => await listener(event)))
  },
  read: method(
    [cursor, argument("limit", Schema.UndefinedOr(Fields.integer(1, 1000))), callOptions],
    (from, limit = standardLimit) => outbox.read(from, limit)
  ),
  publish: method([accountId, record("publication", publication), callOptions], (tenantId, given) => {
    const botId = given.botId ?? null
    return ofAccount(
      tenantId,
      Effect.gen(function* () {
        if (botId !== null) yield* Bots.use((bots) => bots.get(tenantId, botId))
        return yield* Publishing.use((p) => p.publish(tenantId, { ...given, botId }))
      })
    )
  })
})

export const emailPart = (method: Method): EmailPart => ({
  report: method([accountId, record("report", emailReport), callOptions], (tenantId, given) =>
    ofAccount(
      tenantId,
      EmailReports.use((e) => e.report(tenantId, given))
    )
  )
})
