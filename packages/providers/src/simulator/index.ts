/**
 * The carrier `simulator`: a telephone network in the process, which calls nobody.
 *
 * Promises  SIMU-1 what a number does follows from its last two digits, and when from the instant of its acceptance.
 *           SIMU-2 a call that was accepted goes on while no process runs, and is told of afterwards with its true instants.
 *           SIMU-3 each call is told of in order, up to exactly one end; a stop changes its future at once.
 *           SIMU-4 every open call of the book is told of by each process that listens, whoever accepted it.
 *           SIMU-5 a look-up never overtakes what led to the state that it finds.
 *           SIMU-6 a request to end a call answers the call's state, also when the call had ended before.
 * Needs     CarrierBook, Storage, Clock.          Tells  call reports, to whoever listens.
 * Not here  what a report means (telephony/ in the core), the book's table (packages/storage-kysely).
 * Read      Network.ts, then CallEventReplay.ts, then Simulator.ts. Source: docs/telephony.md#simulator.
 */
export { layer, type SimulatorProvider, simulator } from "./Simulator.ts"
export { InvalidSimulatorOptions, type SimulatorOptions } from "./SimulatorOptions.ts"
