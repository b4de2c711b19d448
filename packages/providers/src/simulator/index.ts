/**
 * The carrier `simulator`: a telephone network in the process, which calls nobody.
 *
 * Promises  SIMU-1 what a number does follows from its last two digits, and when from the instant of its acceptance.
 *           SIMU-2 a call that was accepted goes on while no process runs, and is reported afterwards with its true instants.
 *           SIMU-3 each call is reported in order, up to exactly one end; a stop changes its future at once.
 *           SIMU-4 every open call is reported by each process that listens, whichever process accepted it.
 *           SIMU-5 a look-up never overtakes what led to the state that it finds.
 *           SIMU-6 a request to end a call answers the call's state, also when the call had ended before.
 *           SIMU-7 a line has real time, at any speed: what is sent is played, marked or cleared, and nothing is lost.
 *           SIMU-8 a callee that is spoken for stays on the line while its socket is open, and hangs up when it closes.
 *           SIMU-9 the sound of a call is connected by one process, and by another one when that has gone and the callee is back.
 * Needs     ProviderStateStore, Storage, CallMedia, Clock.   Emits  call reports, to its listeners.
 * Not here  what a report means (telephony/ in the core), the table of its rows (packages/storage-kysely).
 * Read      Network.ts, then SimulatedCalls.ts, CallEventReplay.ts and Simulator.ts; of sound Phones.ts and CalleePhone.ts; in a file SimulatorKind.ts. Source: docs/reference/telephony.md#simulator.
 */
export { calleeAudio } from "./CalleeAudio.ts"
export { layer, type SimulatorProvider, simulator } from "./Simulator.ts"
export { InvalidSimulatorOptions, type SimulatorOptions } from "./SimulatorOptions.ts"
