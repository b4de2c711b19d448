/**
 * Makes the secrets of subscriptions and signs deliveries with them, as pure functions.
 *
 * Needs     nothing.                             Emits  nothing.
 * Not here  where secrets are kept and rotated (webhooks/subscriptions); how a receiver proves a delivery (@trunkline/client/webhooks).
 *           Promise HOOK-5 stands in the area.
 * Read      Signature.ts. Source: docs/reference/webhooks-receiving.md#secret.
 */
export { makeSecret, mask, prefix, type Secrets, signatureHeaders, standardHeaders } from "./Signature.ts"
