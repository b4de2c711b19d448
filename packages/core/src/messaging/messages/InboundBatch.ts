/** What a channel delivers, in the words of the domain. Source: docs/reference/messaging.md#inbound. */
import type { Instant } from "../../platform/kernel/index.ts"
import type { MessageError } from "./Message.ts"
import type { MessageContent } from "./MessageContent.ts"
import type { ReportedStatus } from "./StatusOrder.ts"

/** What the writer of a message has made of it afterwards. */
export interface MessageChange {
  /** The channel's id of the message that is changed. */
  readonly msgid: string
  /** What it says from then on; null where it is deleted. */
  readonly edited: MessageContent | null
}

export interface InboundMessage {
  /** The channel's. */
  readonly id: string
  /** Digits of who wrote; null where the channel does not say. */
  readonly from: string | null
  /** The channel's own id of the sender. Where `from` is null too, the sender is unknown. */
  readonly userRef: string | null
  /** As who wrote calls themselves. */
  readonly name: string | null
  /** Of an echo: the customer that it went to. */
  readonly to: string | null
  readonly toRef: string | null
  /** When it was sent; null where that cannot be. */
  readonly at: Instant.Instant | null
  /** `Raw` of the type `unsupported` where the channel cannot show it. */
  readonly content: MessageContent
  /** The message that it answers. */
  readonly contextId: string | null
  /** Sent from our own number, by its app for one: nothing that a customer wrote. */
  readonly isEcho: boolean
  /** Of a system message: who the person is from now on. */
  readonly newPhone: string | null
  readonly newUserRef: string | null
  /** Another form of the phone of the customer, by which the channel knows it too. */
  readonly otherPhone?: string | null
  /** The channel's id of the group that it stands in; null or left out between two. */
  readonly group?: string | null
  /** Of a message that only edits or deletes another one. */
  readonly change?: MessageChange | null
}

/** What the network says that a message costs. */
export interface MessagePricing {
  /** In the network's words: `marketing`. */
  readonly category: string | null
  readonly type: string | null
  readonly billable: boolean | null
}

export interface InboundStatus {
  /** The channel's id of the message that it is about. */
  readonly msgid: string
  /** Null where the channel reports something that we do not know. */
  readonly status: ReportedStatus | null
  readonly at: Instant.Instant | null
  /** Digits. */
  readonly recipient: string | null
  readonly recipientRef: string | null
  readonly error: MessageError | null
  /** What `send` was given as `ref`: our own id of the message. */
  readonly ref: string | null
  /** True where it failed because the recipient has opted out of marketing messages at the network. Left out: false. */
  readonly isOptOut?: boolean
  /** What the message costs; null or left out where the report does not say. */
  readonly pricing?: MessagePricing | null
}

/** What a person has said at the channel's network about marketing messages of a number. */
export interface InboundPreference {
  /** Digits. */
  readonly phone: string | null
  /** The channel's own id of the person. */
  readonly userRef: string | null
  /** `signup`: the person asks for them by themselves. */
  readonly value: "stop" | "resume" | "signup"
}

/** How far a payment has come, as the network says. */
export type ReportedPayment = "pending" | "captured" | "failed"

/** One attempt of a customer's to pay. */
export interface PaymentTransaction {
  /** The payment provider's. */
  readonly id: string
  /** How it was paid, in the network's words. */
  readonly type: string | null
  readonly status: string | null
  readonly at: Instant.Instant | null
  /** Why it has failed, in the network's words. */
  readonly error: string | null
}

/** What the network says of a payment. */
export interface PaymentFacts {
  readonly referenceId: string
  /** Null where the network says something that we do not know. */
  readonly status: ReportedPayment | null
  /** A whole number of the smallest unit; null where there is none. */
  readonly amount: number | null
  readonly currency: string | null
  readonly transactions: ReadonlyArray<PaymentTransaction>
}

/** What the network reports of a payment by itself. It says nothing of the message's own status. */
export interface InboundPayment extends PaymentFacts {}

/** What a callback has for one connected number. */
export interface InboundBatch {
  /** The channel's id of the number. */
  readonly connectionId: string
  /** Whose number it is, as the channel says; null where it does not. */
  readonly accountId: string | null
  readonly messages: ReadonlyArray<InboundMessage>
  readonly statuses: ReadonlyArray<InboundStatus>
  /** Left out: none. */
  readonly preferences?: ReadonlyArray<InboundPreference>
  /** Left out: none. */
  readonly payments?: ReadonlyArray<InboundPayment>
}
