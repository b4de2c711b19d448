/**
 * Decides what an area and a room are to the host: one value with layers, contract, handlers, workers, events, errors, metrics.
 *
 * Promises  ROOM-1 events, errors, workers, stores, metrics and encrypted secrets stand with their room, and in no second list.
 *           ROOM-2 what a host leaves out has no routes, workers, metrics or events, and is not loaded.
 * Needs     nothing.                             Emits  nothing.
 * Not here  the list of areas (host/Areas.ts), and the folds over it (host/Rooms.ts).
 * Read      Area.ts, Room.ts, then Worker.ts.
 */
export { type Area, area } from "./Area.ts"
export type { CallbackRules } from "./CallbackRules.ts"
export { ChosenAreas } from "./ChosenAreas.ts"
export { type EventEntry, type EventSource, event } from "./EventEntry.ts"
export type { FileRequest, FileRoute } from "./FileRoute.ts"
export {
  type EdgeAnswer,
  type EdgeFamily,
  type ErrorStatus,
  type ErrorTable,
  type Reencrypt,
  type Reencrypted,
  type Room,
  room
} from "./Room.ts"
export {
  allSamples,
  type Counted,
  Counts,
  Durations,
  type MetricDeclaration,
  type MetricDeclarations,
  type MetricSample,
  type MetricSamples,
  type Queue,
  queueLag,
  type ReadMetrics,
  type RoomMetrics,
  sample,
  type UnderWay
} from "./RoomMetrics.ts"
export { type SetupState, type SetupStep, type SetupStepId, setupState, setupSteps } from "./SetupStep.ts"
export type {
  SocketAccepted,
  SocketConnection,
  SocketListener,
  SocketRefused,
  SocketRequest,
  SocketRoute
} from "./Socket.ts"
export type { StoreChanges } from "./StoreChanges.ts"
export type { Drain, DrainedWorker, DueWorker, IntervalWorker, Pass, Worker } from "./Worker.ts"
