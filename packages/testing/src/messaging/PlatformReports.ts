/** What the fake of the chat platform reports to its subscriber: signed deliveries of messages and of their statuses. */
import { freshWamid, inboundBody, inboundChange, inboundMessage, inboundStatus, signed } from "./InboundBodies.ts"
import type { Json } from "./PlatformRequest.ts"
import type { PlatformMessage, PlatformService } from "./PlatformService.ts"

type Report = "sent" | "delivered" | "read" | "failed"

/** A report, and what it says beside its word. */
export type ReportSaid = Report | readonly [Report, Json]

/** What a report of a failure says, and one of any other kind of its cost. Each is for `more`. */
export const failedWith = (code: number): Json => ({
  errors: [{ code, title: "leaky title", message: "leaky words", error_data: { details: "leaky details" } }]
})
export const costing = (category: string, billable: boolean, type = "regular"): Json => ({
  pricing: { billable, pricing_model: "PMP", type, category }
})

export interface Said {
  readonly id: string
  /** Of the answer to the delivery, 0 where there is none. */
  readonly status: number
}

export interface PlatformReports {
  /** The customer has written to the number at an instant. */
  readonly wroteAt: (phoneNumberId: string, customer: string, at?: number) => void

  /** Where deliveries go, and what they are signed with. */
  readonly deliverTo: (webhook: { readonly url: string; readonly appSecret: string } | null) => void
  /** Signs and posts a body as it is; returns the status of the answer, 0 where there is none. */
  readonly deliver: (body: unknown) => Promise<number>
  /** Reports on a message that was taken. */
  readonly report: (id: string, status: Report, more?: Json) => Promise<number>
  /** Reports these of every message from now on, as soon as it is taken, one after the other. */
  readonly reportAll: (
    statuses: ReadonlyArray<ReportSaid> | ((message: PlatformMessage) => ReadonlyArray<ReportSaid>)
  ) => void
  /** A text, or a message of any type (`inbound`), from a customer with this phone. Opens the window. */
  readonly says: (phoneNumberId: string, customer: string, message: string | Json) => Promise<Said>
  /** Statuses of the answers to all deliveries, in the order in which they came. */
  readonly delivered: ReadonlyArray<number>
}

/** `reportAccepted` is called for every message that the platform has taken. */
export const makeReports = (service: PlatformService, now: () => number, changed: () => void) => {
  const delivered: Array<number> = []
  let webhook: { readonly url: string; readonly appSecret: string } | null = null
  let reportsOf: (message: PlatformMessage) => ReadonlyArray<ReportSaid> = () => []

  const deliver = async (body: unknown): Promise<number> => {
    if (webhook === null) throw new Error("nobody is there to deliver to: deliverTo")
    const { bytes, headers } = signed(body, webhook.appSecret)
    const status = await fetch(webhook.url, {
      method: "POST",
      headers,
      body: new Uint8Array(bytes)
    }).then(
      async (answer) => {
        await answer.arrayBuffer()
        return answer.status
      },
      () => 0
    )
    delivered.push(status)
    changed()
    return status
  }

  const seconds = () => String(Math.floor(now() / 1000))

  const report: PlatformReports["report"] = (id, status, more = {}) => {
    const message = service.message(id)
    if (message === undefined) throw new Error(`the platform has not accepted ${id}`)
    const { body } = message
    const { biz_opaque_callback_data: tag } = body
    const reported = inboundStatus(id, status, {
      timestamp: seconds(),
      ...(body.to === undefined
        ? { recipient_id: undefined, recipient_user_id: message.to }
        : { recipient_id: message.to.replace(/^\+/, "") }),
      ...(tag === undefined ? {} : { biz_opaque_callback_data: tag }),
      ...more
    })
    return deliver(inboundBody([inboundChange({ phoneNumberId: message.phoneNumberId, statuses: [reported] })]))
  }

  const wroteAt = (phoneNumberId: string, customer: string, at = now()) => {
    service.wroteAt(phoneNumberId, customer, at)
  }

  const says: PlatformReports["says"] = async (phoneNumberId, customer, message) => {
    wroteAt(phoneNumberId, customer)
    const content = typeof message === "string" ? inboundMessage("text", { body: message }) : message
    // The customer is known by phone alone: the ref of a sample message is another person's.
    const said = { id: freshWamid(), ...content, from: customer, from_user_id: undefined, timestamp: seconds() }
    const status = await deliver(inboundBody([inboundChange({ phoneNumberId, messages: [said] })]))
    return { id: said.id, status }
  }

  const reportAccepted = (message: PlatformMessage) =>
    void reportsOf(message).reduce(
      (before, said) =>
        before.then(() => (typeof said === "string" ? report(message.id, said) : report(message.id, ...said))),
      Promise.resolve<unknown>(undefined)
    )

  const reports: PlatformReports = {
    wroteAt,
    deliverTo: (to) => {
      webhook = to
    },
    deliver,
    report,
    reportAll: (all) => {
      reportsOf = typeof all === "function" ? all : () => all
    },
    says,
    delivered
  }
  return { reportAccepted, reports }
}
