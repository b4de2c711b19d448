/** What the channel's use cases refuse, and what a caller sees of a failure of the platform. Source: docs/reference/errors.md. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Instant } from "../../platform/kernel/index.ts"
import type { ErrorTable } from "../../platform/room/index.ts"
import type { ChannelFailed } from "./ChannelFailed.ts"

/** What callers get for each error: the status of the HTTP interface, and the code. */
export const messagingErrors = {
  AssigneeUnknown: { status: 422, code: "assignee_unknown" },
  ConnectedNumberNotFound: { status: 404, code: "connected_number_not_found" },
  ConversationAssigned: { status: 409, code: "conversation_assigned" },
  ConversationEnded: { status: 409, code: "conversation_ended" },
  ConversationNotFound: { status: 404, code: "conversation_not_found" },
  ExamplesMissing: { status: 503, code: "examples_missing" },
  FileRoomTaken: { status: 429, code: "file_room_taken" },
  InvalidMessage: { status: 422, code: "invalid_message" },
  MessageNotFound: { status: 404, code: "message_not_found" },
  NumberNotProven: { status: 422, code: "number_not_proven" },
  NumberTaken: { status: 409, code: "number_taken" },
  OptedOut: { status: 422, code: "opted_out" },
  PlatformDown: { status: 502, code: "platform_down" },
  PlatformMissing: { status: 503, code: "platform_missing" },
  PlatformRefusal: { status: 422, code: "platform_refusal" },
  PlatformThrottled: { status: 429, code: "platform_throttled" },
  TemplateInUse: { status: 409, code: "template_in_use" },
  WindowClosed: { status: 422, code: "window_closed" }
} as const satisfies ErrorTable

/** Also for another account's number: the owner of a number is not disclosed. */
export class ConnectedNumberNotFound extends Schema.TaggedError<ConnectedNumberNotFound>()("ConnectedNumberNotFound", {
  id: Schema.String
}) {
  override get message() {
    return "This phone number is not connected to the account"
  }
}

export class NumberTaken extends Schema.TaggedError<NumberTaken>()("NumberTaken", {
  phoneNumberId: Schema.String,
  /** True where it stays the other account's after it was disconnected. */
  isKept: Schema.Boolean
}) {
  override get message() {
    return this.isKept
      ? "This id is another account's, and stays so. Choose another one."
      : "This phone number is connected to another account. It can be connected here once it is disconnected there."
  }
}

/** The platform does not list the number among those that the credentials are for. */
export class NumberNotProven extends Schema.TaggedError<NumberNotProven>()("NumberNotProven", {}) {
  override get message() {
    return "The platform does not name this phone number among those of the business account. Take phone_number_id and business_account_id from the platform as they stand there, and an access_token of that business account."
  }
}

export class TemplateInUse extends Schema.TaggedError<TemplateInUse>()("TemplateInUse", { name: Schema.String }) {
  override get message() {
    return "A campaign of this account that is scheduled, running or paused sends this template. Cancel the campaign, or wait until it has ended."
  }
}

export class ConversationNotFound extends Schema.TaggedError<ConversationNotFound>()("ConversationNotFound", {
  id: Schema.String
}) {
  override get message() {
    return "Conversation not found"
  }
}

/** A switch of an old conversation would change nothing, and its caller would rely on it. */
export class ConversationEnded extends Schema.TaggedError<ConversationEnded>()("ConversationEnded", {
  id: Schema.String
}) {
  override get message() {
    return "This conversation has ended. Change the customer's open one instead."
  }
}

/** The conversation is assigned to somebody else. */
export class ConversationAssigned extends Schema.TaggedError<ConversationAssigned>()("ConversationAssigned", {
  /** The name of who has it, or the id where no name is known. */
  to: Schema.String
}) {
  override get message() {
    return `This conversation is assigned to ${this.to}. Send "force": true to take it over all the same.`
  }
}

/** Where people sign in here, conversations are assigned to members. */
export class AssigneeUnknown extends Schema.TaggedError<AssigneeUnknown>()("AssigneeUnknown", {}) {
  get faults() {
    return [{ field: "assignedTo", message: "Expected the id of a member of the account, `me` or null" }]
  }
  override get message() {
    return "Nobody of the account has this id. Use the id of a member, or `me`."
  }
}

export class MessageNotFound extends Schema.TaggedError<MessageNotFound>()("MessageNotFound", { id: Schema.String }) {
  override get message() {
    return "This conversation has no such message"
  }
}

/** A message whose content is not what its type needs. */
export class InvalidMessage extends Schema.TaggedError<InvalidMessage>()("InvalidMessage", {
  faults: Schema.Array(Schema.Struct({ field: Schema.String, message: Schema.String }))
}) {
  override get message() {
    return this.faults.map(({ field, message }) => `${field}: ${message}`).join("; ")
  }
}

/** Source: docs/reference/messaging.md#window. */
export class WindowClosed extends Schema.TaggedError<WindowClosed>()("WindowClosed", {
  /** Milliseconds of UTC; null where the customer has never written to the number. */
  closedAt: Schema.NullOr(Schema.Int),
  /** How long the number's channel accepts free-form messages after one of the customer's, in milliseconds. */
  replyWindowMs: Schema.Int
}) {
  override get message() {
    const [amount, unit] = durationOf(this.replyWindowMs)
    const why =
      this.closedAt === null
        ? "This customer has never written to this number"
        : `The ${amount}-${unit} window closed at ${Instant.toIso(Instant.make(this.closedAt))}, ${amount} ${unit}${amount === 1 ? "" : "s"} after the customer's last message`
    return `${why}: free-form messages cannot be sent. Send a template, or wait for the user to message.`
  }
}

const timeUnits = [
  ["hour", Instant.hour],
  ["minute", Instant.minute],
  ["second", Instant.second]
] as const

/** A duration in the largest unit that divides it; in seconds where none does. */
const durationOf = (milliseconds: number): readonly [amount: number, unit: string] => {
  const [unit, unitMs] =
    timeUnits.find(([, each]) => milliseconds % each === 0) ?? (["second", Instant.second] as const)
  return [Math.round(milliseconds / unitMs), unit]
}

/** Source: docs/reference/opt-outs.md#effect. */
export class OptedOut extends Schema.TaggedError<OptedOut>()("OptedOut", {}) {
  override get message() {
    return "This person has opted out of marketing messages, so nothing was sent. Send a template of another category, or wait for the person to write."
  }
}

/** The installation has no chat platform: only its operator can configure one. Source: docs/reference/configuration.md#messaging. */
export class PlatformMissing extends Schema.TaggedError<PlatformMissing>()("PlatformMissing", {}) {
  override get message() {
    return "No chat platform is configured here: the operator of this service must configure `messaging` with a platform, and start it again."
  }
}

/** Files for the headers of templates are kept under an app, which only the operator can name. */
export class ExamplesMissing extends Schema.TaggedError<ExamplesMissing>()("ExamplesMissing", {}) {
  override get message() {
    return "No files for the headers of templates can be kept here: the operator of this service must set `messaging.app_id` to the id of the app at the platform, and start it again."
  }
}

/** Of a long text that went out in parts. */
export interface Progress {
  readonly sent: number
  readonly parts: number
}

/** `isCertain`: nothing of it was taken, so that it may be asked for again. */
const progress = { sent: Schema.Int, parts: Schema.Int, isCertain: Schema.Boolean, sentence: Schema.String }

const sentenceWith = ({ parts, sent, sentence }: Progress & { readonly sentence: string }): string =>
  parts > 1 ? `${sentence} ${sent} of ${parts} parts were sent.` : sentence

/** The platform refuses permanently: a field, a template, a token, its own window. */
export class PlatformRefusal extends Schema.TaggedError<PlatformRefusal>()("PlatformRefusal", progress) {
  override get message() {
    return sentenceWith(this)
  }
}

export class PlatformThrottled extends Schema.TaggedError<PlatformThrottled>()("PlatformThrottled", {
  ...progress,
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    return sentenceWith(this)
  }
}

/** Files that are on their way take all memory that they may. */
export class FileRoomTaken extends Schema.TaggedError<FileRoomTaken>()("FileRoomTaken", {
  /** Whose bound is reached. */
  of: Schema.Literals(["account", "process"]),
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    const whose = this.of === "account" ? "Files of this account" : "Files of all accounts"
    return `${whose} that are on their way take all memory that they may. Send this one again when another one has arrived.`
  }
}

/** The platform cannot be reached, or is out of order. */
export class PlatformDown extends Schema.TaggedError<PlatformDown>()("PlatformDown", progress) {
  override get message() {
    return sentenceWith(this)
  }
}

export type PlatformTrouble = PlatformRefusal | PlatformThrottled | PlatformDown

/** Where the platform names no wait: what it asks of a number that writes to one customer too often. */
const standardRetrySeconds = 6

/**
 * A failure of the platform as callers see it: in our own words, with the platform's code, and without its text.
 * Source: docs/reference/messaging.md#send-errors.
 */
export const troubleOf = (
  failed: ChannelFailed,
  { parts, sent }: Progress = { sent: 0, parts: 1 }
): PlatformTrouble => {
  const isCertain = failed.isCertain && sent === 0
  if (failed._tag === "ChannelUnreachable") {
    const sentence = failed.isCertain
      ? "The platform cannot be reached, so nothing was sent to it. Send again later."
      : "The platform did not answer: whether it took this is not known. Look before you send it again."
    return new PlatformDown({ sent, parts, isCertain, sentence })
  }
  const sentence = withCode(failed.sentence, failed.code)
  if (failed.class === "throttled") {
    const retryAfterSeconds = Math.max(1, failed.retryAfterSeconds ?? standardRetrySeconds)
    return new PlatformThrottled({ sent, parts, isCertain, sentence, retryAfterSeconds })
  }
  return failed.class === "unavailable"
    ? new PlatformDown({ sent, parts, isCertain, sentence })
    : new PlatformRefusal({ sent, parts, isCertain, sentence })
}

/** A sentence for people with the channel's code at its end, for programs that know it. */
export const withCode = (sentence: string, code: number | null): string =>
  code === null ? sentence : `${sentence} (platform code ${code})`

/** The number's channel cannot do what was asked: nothing was sent to it. Source: docs/reference/messaging.md#channel-traits. */
export const channelLacks = (what: string): PlatformRefusal =>
  new PlatformRefusal({ sent: 0, parts: 1, isCertain: true, sentence: `The channel of this number has no ${what}.` })

/** No channel was asked. */
export const noChannel: PlatformRefusal = new PlatformRefusal({
  sent: 0,
  parts: 1,
  isCertain: true,
  sentence: "This installation has no channel of this kind."
})

const isOfChannel = (error: { readonly _tag: string }): error is ChannelFailed =>
  error._tag === "ChannelRefused" || error._tag === "ChannelUnreachable"

/** Runs a request to a channel, and fails with what callers may see; details for the operator are logged. */
export const askChannel = <A, E extends { readonly _tag: string }, R>(
  work: Effect.Effect<A, E, R>,
  progress?: Progress
): Effect.Effect<A, Exclude<E, ChannelFailed> | PlatformTrouble, R> =>
  Effect.catch(
    work,
    (error): Effect.Effect<never, Exclude<E, ChannelFailed> | PlatformTrouble> =>
      isOfChannel(error)
        ? Effect.andThen(logged(error), Effect.fail(troubleOf(error, progress)))
        : Effect.fail(error as Exclude<E, ChannelFailed>)
  )

const logged = (failed: ChannelFailed): Effect.Effect<void> =>
  failed._tag === "ChannelUnreachable"
    ? Effect.logWarning(`the chat platform: ${failed.detail}`)
    : Effect.logInfo(failed.detail)
