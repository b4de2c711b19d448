/** Suite and fakes for telephone lines. */
export { type ExchangeLine, type ExchangeSocket, exchangeLine, makeFakeExchange } from "./ChanWebsocket.ts"
export { type FakePlayer, framesOf, makeFakePlayer } from "./FakePlayer.ts"
export { HeardLine, joined, mulawNoise, withoutSilence } from "./HeardLine.ts"
export { type MediaPhone, type MediaSubject, mediaSuite } from "./MediaSuite.ts"
