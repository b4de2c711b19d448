/** Promises about calls, proved from the carrier's log and the API. */
import {
  callsIn,
  calmSince,
  disturbances,
  type Evidence,
  type Finding,
  grouped,
  isOpen,
  type OwnedCall,
  ofWhat,
  type Violation
} from "./Evidence.ts"
import type { CarrierLine, Logged } from "./Lines.ts"

type Order = Logged<"carrier"> & CarrierLine & { readonly what: "order" }

const ordersOf = ({ logs }: Evidence) => ofWhat(logs.carrier, "order") as ReadonlyArray<Order>

/** How far clocks of processes are apart, and how long a request is on its way. */
const slackMs = 2000

export const oneOrder = (evidence: Evidence): Finding => {
  const orders = grouped(ordersOf(evidence), ({ call }) => call)
  const violations = [...orders].flatMap(
    ([call, lines]): ReadonlyArray<Violation> =>
      lines.length > 1 ? [{ text: `call ${call} was ordered ${lines.length} times`, lines }] : []
  )
  return { promise: "one order", checked: orders.size, undecided: 0, violations }
}

interface Span {
  readonly call: OwnedCall
  readonly from: number
  readonly to: number
  readonly lines: ReadonlyArray<unknown>
}

/** What the carrier has done for each call that it has made. */
const spansOf = ({ logs, state }: Evidence): ReadonlyArray<Span> => {
  const calls = new Map(callsIn(state).map((call) => [call.id, call]))
  const ends = new Map(ofWhat(logs.carrier, "ended").map((line) => [line.sid, line]))
  return ofWhat(logs.carrier, "order").flatMap((order): ReadonlyArray<Span> => {
    const call = calls.get(order.call)
    if (order.sid === null || call === undefined) return []
    const end = ends.get(order.sid)
    return [
      {
        call,
        from: order.at,
        to: end?.at ?? Number.POSITIVE_INFINITY,
        lines: end === undefined ? [order] : [order, end]
      }
    ]
  })
}

export const noOverlap = (evidence: Evidence): Finding => {
  const spans = spansOf(evidence).filter(({ call }) => call.contact_id !== null)
  const violations: Array<Violation> = []
  for (const own of grouped(spans, ({ call }) => call.contact_id!).values()) {
    const inOrder = own.toSorted((a, b) => a.from - b.from)
    for (const [nth, later] of inOrder.entries()) {
      const earlier = inOrder.slice(0, nth).find(({ to }) => to > later.from)
      if (earlier === undefined) continue
      violations.push({ text: `two calls at a time to ${later.call.to}`, lines: [...earlier.lines, ...later.lines] })
    }
  }
  return { promise: "no overlap", checked: spans.length, undecided: 0, violations }
}

export const suppression = (evidence: Evidence): Finding => {
  const orders = ordersOf(evidence)
  const calls = new Map(callsIn(evidence.state).map((call) => [call.id, call]))
  const additions = ofWhat(evidence.logs.client, "suppressed")
  const spans = disturbances(evidence.logs)
  const violations: Array<Violation> = []
  let underWay = 0
  for (const addition of additions) {
    for (const order of orders) {
      const call = calls.get(order.call)
      if (order.to !== addition.number || order.at <= addition.at || call?.account !== addition.account) continue
      const wasCommittedLater = Date.parse(call.created_at) > addition.at + slackMs
      // Checked before the addition and sent after it: only a process that stood still in between can be that late.
      const wasDelayed = spans.some(
        ({ from, to, what }) => what === "stall" && from < order.at && to > addition.askedAt
      )
      if (wasCommittedLater || (order.at > addition.at + slackMs && !wasDelayed)) {
        violations.push({ text: `${order.to} was called after it was suppressed`, lines: [addition, order, call] })
      } else underWay += 1
    }
  }
  return {
    promise: "suppression",
    checked: additions.length,
    undecided: 0,
    violations,
    notes: { "order under way": underWay }
  }
}

/** Rings that the product could know of: of calls that were not cancelled, or whose ringing was reported before their end. */
export const attempts = ({ logs, state }: Evidence): Finding => {
  const rang = new Map(ofWhat(logs.carrier, "rang").map((line) => [line.call, line]))
  const ended = new Map(ofWhat(logs.carrier, "ended").map((line) => [line.call, line]))
  const endOf = (call: string) => ended.get(call)?.at ?? Number.POSITIVE_INFINITY
  const reported = new Set(
    ofWhat(logs.carrier, "callback").flatMap(({ at, call, event, status }) =>
      event === "ringing" && status === 200 && at <= endOf(call) ? [call] : []
    )
  )
  const max = new Map(
    Object.values(state.accounts).flatMap(({ campaigns }) => campaigns.map((one) => [one.id, one.max_attempts]))
  )
  const own = callsIn(state).filter(({ contact_id, id }) => contact_id !== null && rang.has(id))
  const violations: Array<Violation> = []
  let more = 0
  for (const calls of grouped(own, ({ contact_id }) => contact_id!).values()) {
    const limit = max.get(calls[0]!.campaign_id!) ?? Number.POSITIVE_INFINITY
    const known = calls.filter(({ id }) => ended.get(id)?.status !== "canceled" || reported.has(id))
    if (known.length > limit) {
      const lines = known.flatMap(({ id }) => [rang.get(id), ended.get(id)])
      violations.push({ text: `${calls[0]!.to} rang ${known.length} times, at most ${limit} are allowed`, lines })
    } else if (calls.length > limit) more += 1
  }
  return { promise: "attempts", checked: own.length, undecided: 0, violations, notes: { "rang once more": more } }
}

/** A call is closed this long after its end and the last disturbance, with an answer of the carrier to spare. */
const closedMs = 3 * 60_000 + 15_000

export const closing = ({ logs, state }: Evidence): Finding => {
  const spans = disturbances(logs).filter(({ what }) => what !== "chat" && what !== "models" && what !== "receivers")
  const last = new Map<string, number>()
  for (const line of logs.carrier) {
    if (line.what === "order" || line.what === "ended") last.set(line.call, line.at)
  }
  const ended = new Set(ofWhat(logs.carrier, "ended").map(({ call }) => call))
  const placed = new Set(ofWhat(logs.carrier, "order").flatMap(({ call, sid }) => (sid === null ? [] : [call])))
  const calls = callsIn(state)
  const violations: Array<Violation> = []
  let undecided = 0
  const isOverdue = (id: string, created: number, at: number) =>
    at - Math.max(last.get(id) ?? created, calmSince(spans, at)) > closedMs
  for (const call of calls.filter(isOpen)) {
    const goesOn = placed.has(call.id) && !ended.has(call.id)
    if (goesOn || !isOverdue(call.id, Date.parse(call.created_at), state.at)) undecided += 1
    else
      violations.push({
        text: `call ${call.id} is still open`,
        lines: [call, ...logs.carrier.filter((line) => "call" in line && line.call === call.id)]
      })
  }
  for (const { at, calls: open } of ofWhat(logs.client, "open")) {
    for (const id of open) {
      const end = last.get(id)
      if (!ended.has(id) || end === undefined || end > at || !isOverdue(id, end, at)) continue
      if (violations.some(({ text }) => text.includes(id))) continue
      violations.push({
        text: `call ${id} was open ${Math.round((at - end) / 1000)} s after its end`,
        lines: logs.carrier.filter((line) => "call" in line && line.call === id)
      })
    }
  }
  return { promise: "closing", checked: calls.length, undecided, violations }
}

/** A carrier's record belongs to one call, and nothing is charged or reported answered that the carrier never had. */
export const ownRecord = (evidence: Evidence): Finding => {
  const orders = new Map(
    ordersOf(evidence).flatMap((order) => (order.sid === null ? [] : [[order.sid, order] as const]))
  )
  const named = callsIn(evidence.state).filter(({ provider_call_id }) => provider_call_id !== null)
  const violations = named.flatMap((call): ReadonlyArray<Violation> => {
    const order = orders.get(call.provider_call_id!)
    if (order?.call === call.id) return []
    return [{ text: `call ${call.id} has the record of another one`, lines: [call, order] }]
  })
  const answered = new Set(ofWhat(evidence.logs.carrier, "answered").map(({ call }) => call))
  for (const call of callsIn(evidence.state)) {
    if (call.credits === 0 || answered.has(call.id)) continue
    violations.push({ text: `call ${call.id} was charged and never answered`, lines: [call] })
  }
  return { promise: "own record", checked: named.length, undecided: 0, violations }
}

/** The carrier's silence that ends a call as unknown. */
const silenceMs = 150_000
/** Calls between the same numbers this close cannot be reported apart. */
const sameTimeMs = 5 * 60_000

/** A process recognises a call in the carrier's records by its time, where its own clock and the carrier's are this close. */
const sameClockMs = 2 * 60_000

export const outcomes = (evidence: Evidence): Finding => {
  const isFar = evidence.logs.faults.some(({ skewMs = 0 }) => Math.abs(skewMs) > sameClockMs)
  const orders = new Map(ordersOf(evidence).map((order) => [order.call, order]))
  const calls = grouped(callsIn(evidence.state), ({ to }) => to)
  const outages = disturbances(evidence.logs).filter(({ what }) => what === "carrier")
  const unknown = callsIn(evidence.state).filter(({ end_reason }) => end_reason === "unknown")
  const violations = unknown.flatMap((call): ReadonlyArray<Violation> => {
    const order = orders.get(call.id)
    const at = Date.parse(call.created_at)
    // An order of the other call may have been lost on its way: what counts is that there is such a call.
    const isAmbiguous = calls
      .get(call.to)!
      .some(({ created_at, id }) => id !== call.id && Math.abs(Date.parse(created_at) - at) <= sameTimeMs)
    const end = Date.parse(call.ended_at ?? "")
    const silent = outages.some(({ from, to }) => from < end && to > at && Math.min(to, end) - from >= silenceMs)
    return isFar || isAmbiguous || silent
      ? []
      : [{ text: `the outcome of ${call.id} is said to be unknown`, lines: [call, order] }]
  })
  return {
    promise: "outcomes",
    checked: callsIn(evidence.state).length,
    undecided: 0,
    violations,
    notes: { unknown: unknown.length }
  }
}
