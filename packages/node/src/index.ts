/**
 * Decides how a request of Node's becomes one of the product's, and back.
 *
 * Promises  NODE-1 a client that goes away interrupts the handler; what was not committed is not.
 *           NODE-2 a body that the host has parsed is read all the same, and where its bytes are needed and gone, the
 *           host is told the fix.
 *           NODE-3 a server that has stopped listening is not held up by connections that are kept alive.
 * Needs     a product made by `createTrunkline`.     Tells  nothing.
 * Not here  frameworks (adapters), routes and errors (core).
 * Read      NodeHandler.ts, then ReadBody.ts. Source: docs/embedding.md.
 */
export { type HandOver, type NodeHandler, nodeHandler } from "./NodeHandler.ts"
