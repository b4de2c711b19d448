/**
 * Has what every area stands on: rows and transactions, who asks, what it costs, and how it is asked over HTTP.
 *
 * Needs     Storage.                             Emits  nothing by itself.
 * Not here  any subject of the product.
 * Rooms     kernel, outbound, numbers, audio, room, storage, changes, events, billing, moving, accounts, idempotency, http, sockets, stream.
 * Read      kernel, then storage, accounts, billing and http. Source: docs/reference/storage.md, docs/reference/access.md.
 */
export { platformArea } from "./PlatformArea.ts"
