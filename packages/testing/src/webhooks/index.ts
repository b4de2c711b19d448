/** A receiver of webhooks for tests, and certificates for it. */
export { type Behaviour, type Received, type Receiver, type ReceiverOptions, startReceiver } from "./Receiver.ts"
export { type CertificateOptions, type TestCertificate, testCertificate } from "./TestCertificate.ts"
