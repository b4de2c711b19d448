/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Money } from "../../platform/billing/index.ts"
import { change, nothing, storeTopics } from "../../platform/changes/index.ts"
import { Outbox } from "../../platform/events/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import {
  Counts,
  queueLag,
  type ReadMetrics,
  type RoomMetrics,
  room,
  sample,
  type Worker
} from "../../platform/room/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import { AgentPlaces } from "./AgentPlaces.ts"
import type { Call } from "./Call.ts"
import { CallAdmission } from "./CallAdmission.ts"
import { callErrors } from "./CallErrors.ts"
import { callEvents } from "./CallEventEntries.ts"
import { CallListStore } from "./CallListStore.ts"
import { CallPlacer } from "./CallPlacer.ts"
import { CallReports } from "./CallReports.ts"
import { callSetup } from "./CallSetup.ts"
import { CallStore } from "./CallStore.ts"
import { CallSupervisionStore } from "./CallSupervisionStore.ts"
import { CallSupervisor } from "./CallSupervisor.ts"
import { Calls } from "./Calls.ts"
import { CallTokenStore } from "./CallTokenStore.ts"
import { CallTransitions } from "./CallTransitions.ts"
import * as CancelSuppressedCalls from "./CancelSuppressedCalls.ts"
import { Carrier, TelephonyConfigured } from "./Carrier.ts"
import { ExpectedAnswers } from "./ExpectedAnswers.ts"
import { carrierSockets } from "./MediaSocketHttp.ts"
import { NumberStore } from "./NumberStore.ts"
import { Numbers } from "./Numbers.ts"
import { StartSlotStore } from "./StartSlotStore.ts"
import { StartSlots } from "./StartSlots.ts"
import { callbacksGroup, callsGroup, numbersGroup, templatesGroup } from "./TelephonyApi.ts"
import * as TelephonyHttp from "./TelephonyHttp.ts"

const workers = Effect.gen(function* () {
  if (!(yield* TelephonyConfigured)) return []
  const carrier = yield* Carrier
  const placer = yield* CallPlacer
  const reports = yield* CallReports
  const supervision = yield* CallSupervisor

  const record = (report: Parameters<typeof reports.apply>[0]) =>
    Effect.catchCause(reports.apply(report), (cause) =>
      Effect.logError("a report could not be recorded", report.callId, cause)
    )

  return [
    {
      name: "call supervision",
      switch: "dialer",
      // After listening: a carrier that lives in this process reports what happened meanwhile before it answers a look-up.
      begin: Effect.andThen(carrier.listen(record), supervision.recover),
      nextDue: supervision.nextCheck,
      tick: Effect.as(supervision.tick, "idle" as const),
      drain: { stage: "last", idle: placer.idle, timeoutMs: 10 * Instant.second }
    }
  ] satisfies ReadonlyArray<Worker<StorageError>>
})

const metrics = {
  declared: {
    trunkline_calls_open: {
      type: "gauge",
      labels: ["status"],
      of: "installation",
      help: "Calls that have not ended"
    },
    trunkline_calls_total: {
      type: "counter",
      labels: ["status"],
      of: "process",
      help: "Calls whose end this process has written, by their last status"
    }
  },
  reader: Effect.map(Outbox, (outbox): ReadMetrics => {
    const ended = new Counts()
    let spent = 0
    outbox.on("*", ({ data, event }) =>
      Effect.sync(() => {
        if (event !== "call.completed" && event !== "call.failed") return
        ended.add({ status: String(data.status) })
        spent += Number(data.credits)
      })
    )
    return (counted) => {
      const { underWay } = counted
      const open =
        underWay === null
          ? {}
          : {
              trunkline_calls_open: underWay.calls.map(({ n, status }) => sample(n, { status })),
              trunkline_credits_reserved: [sample(Money.toNumber(underWay.reservedByCalls), { kind: "call" })]
            }
      return {
        ...open,
        ...queueLag("calls", counted),
        trunkline_calls_total: ended.samples,
        trunkline_credits_spent_total: [sample(spent, { kind: "call" })]
      }
    }
  })
} satisfies RoomMetrics

/** A campaign shows its calls, and what came of them. */
const ofCall = ({ campaignId, id, tenantId }: Pick<Call, "campaignId" | "id" | "tenantId">) =>
  campaignId === null
    ? change(tenantId, "calls", `call:${id}`)
    : change(tenantId, "calls", `call:${id}`, `campaign:${campaignId}`)

const changes = [
  storeTopics(CallStore, { add: ofCall, save: ofCall }),
  storeTopics(CallSupervisionStore, { claimDue: nothing, markForReconciliation: nothing }),
  storeTopics(CallTokenStore, { set: nothing, use: nothing }),
  storeTopics(NumberStore, {
    putNumber: ({ tenantId }) => change(tenantId, "numbers"),
    removeNumber: (tenantId) => change(tenantId, "numbers"),
    addTemplate: ({ tenantId }) => change(tenantId, "numbers"),
    saveTemplate: ({ tenantId }) => change(tenantId, "numbers"),
    removeTemplate: (tenantId) => change(tenantId, "numbers")
  }),
  storeTopics(StartSlotStore, { save: nothing })
]

export const Room = room({
  name: "calling/calls",
  stores: [CallListStore, CallStore, CallSupervisionStore, CallTokenStore, NumberStore, StartSlotStore],
  changes,
  parts: CancelSuppressedCalls.layer.pipe(
    Layer.provideMerge(CallTransitions.layer),
    Layer.provideMerge(Layer.merge(AgentPlaces.layer, StartSlots.layer))
  ),
  layer: Layer.mergeAll(Calls.layer, CallSupervisor.layer).pipe(
    Layer.provideMerge(CallPlacer.layer),
    Layer.provideMerge(Layer.mergeAll(CallReports.layer, CallAdmission.layer, ExpectedAnswers.layer, Numbers.layer))
  ),
  api: () => [callsGroup, numbersGroup, templatesGroup],
  unpublishedApi: () => [callbacksGroup],
  handlers: TelephonyHttp.layer,
  sockets: carrierSockets,
  setup: callSetup,
  workers,
  events: callEvents,
  errors: callErrors,
  metrics
})
