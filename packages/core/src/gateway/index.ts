/**
 * Decides which model answers a request, runs it under a reservation and charges what it used.
 *
 * Promises  INFE-1 what may not run is refused before any upstream is asked, in one documented order, and is not billed.
 *           INFE-2 a request is billed for the audio that its data holds, whatever its header, its format or its answer says.
 *           INFE-3 nothing of an upstream's body, headers, address or key is ever in an answer or an event.
 *           INFE-4 one Idempotency-Key runs and bills once, also in flight, across processes, after a crash and after a stall.
 *           INFE-5 whatever ends a request early, its slot and its reservation are released, and an upstream's answer is billed.
 *           INFE-6 no model stands in for another but where the operator's routes say so.
 * Needs     Upstreams, AudioLength, Idempotency, Metering, KeyLimits, UsageLog.  Emits  nothing by itself.
 * Not here  prices, plans and limits (platform/billing); what upstreams speak (packages/providers); keys of requests (platform/idempotency).
 * Rooms     upstreams, errors, catalogue, admission, run, routes; then one room for each kind of route; usage.
 * Read      catalogue, then run, then llm or speech. Source: docs/reference/gateway.md, docs/reference/models.md.
 */
export { gatewayArea } from "./GatewayArea.ts"
