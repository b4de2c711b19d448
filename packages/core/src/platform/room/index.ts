/**
 * Decides what a room is to the host: one value with layers, contract, handlers, workers, events and errors.
 *
 * Promises  ROOM-1 events, errors and workers stand with their room, and in no second list.
 * Needs     nothing.                             Emits  nothing.
 * Not here  the list of rooms and the folds over it (host/Rooms.ts).
 * Read      Room.ts, then Worker.ts.
 */
export type { CallbackRules } from "./CallbackRules.ts"
export { type EdgeAnswer, type EdgeFamily, type ErrorStatus, type ErrorTable, type Room, room } from "./Room.ts"
export type {
  SocketAccepted,
  SocketConnection,
  SocketListener,
  SocketRefused,
  SocketRequest,
  SocketRoute
} from "./Socket.ts"
export type { Drain, DrainedWorker, DueWorker, IntervalWorker, Pass, Worker, WorkerSwitch } from "./Worker.ts"
