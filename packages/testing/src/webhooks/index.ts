/** A receiver of webhooks for tests, and certificates for it. */

export { deliverySuite } from "./DeliveryModel.ts"
export { type DeliveryWorld, makeDeliveryWorld } from "./DeliveryWorld.ts"
export { Endpoints, type Mood, type Posted } from "./Endpoints.ts"
export { fakeOutbound } from "./FakeOutbound.ts"
export { type Behaviour, type Received, type Receiver, type ReceiverOptions, startReceiver } from "./Receiver.ts"
export { type CertificateOptions, type TestCertificate, testCertificate } from "./TestCertificate.ts"
