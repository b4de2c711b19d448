/** The HTTP suite: one call for each way of serving the product runs them all. Source: docs/reference/embedding.md#conformance. */
export { accountLimitsSuite } from "./AccountLimitsSuite.ts"
export { type ChangeStream, openChanges } from "./ChangeStreamClient.ts"
export { compressionSuite } from "./CompressionSuite.ts"
export { HostSuite, HttpSuite, LlmSuite, RouteSuite, TransportSuite } from "./HttpSuite.ts"
export {
  aCampaign,
  callback,
  campaigns,
  type HttpWorld,
  openWorld,
  type Served,
  type ServeOptions,
  type Start,
  signed,
  until,
  type WorldOptions
} from "./HttpWorld.ts"
export { inboxRaceSuite } from "./InboxSuite.ts"
export { keyRaceSuite } from "./KeyRaceSuite.ts"
export { previewRaceSuite } from "./PreviewSuite.ts"
export { RelaySuite } from "./RelaySuite.ts"
export { type FrameOptions, frame, type Handshake, opcodes, type Received, SocketClient } from "./SocketClient.ts"
export { SocketSuite } from "./SocketSuite.ts"
export { openSocketWorld, type SocketWorld, sockets } from "./SocketWorld.ts"
export { type StoredRows, storedSecretsSuite } from "./StoredSecretsSuite.ts"
export { type UploadForm, upload } from "./Upload.ts"
