/**
 * Passes requests of language models on without a fiber: one object with callbacks leads from the client's request to its response.
 * It takes a request of a key that is in memory, in an API that the first upstream of its route speaks, on a product that does
 * not trace. It hands everything else over to the route, and a request whose first attempt has failed.
 *
 * Promises  RELY-1 a request is answered, metered and logged as its route does it: a suite sends every case both ways.
 *           RELY-2 what was acquired, reserved or tried is not done a second time by the route that a request is handed over to.
 *           RELY-3 however a request ends, what it holds is released or charged, once.
 *           RELY-4 a stream under an Idempotency-Key goes on without its client, as at its route.
 * Needs     Authentication, Idempotency, Llm, Metering, Upstreams, LlmRelays, DirectRequests.      Emits  nothing by itself.
 *           Without this room in the area's list the product is whole: then every request has a fiber.
 * Not here  the rules: which model, which price, which usage (gateway/llm, gateway/run); the frame of a relay (platform/http/engine).
 * Read      RelayAdmission.ts, then RelayedRun.ts and Relays.ts. Source: docs/reference/gateway.md#relay.
 */
export { Relays } from "./Relays.ts"
