/** What tests of the gateway need: audio made in code, and upstreams that the test plays. */
export { chatAnswer, FakeChat, wants } from "./FakeChat.ts"
export { FakeListening } from "./FakeListening.ts"
export { FakeSearch } from "./FakeSearch.ts"
export { FakeSpeech, leak } from "./FakeSpeech.ts"
export { FakeSynthesis, spokenBytes } from "./FakeSynthesis.ts"
export { FakeThinking, type ThoughtPiece } from "./FakeThinking.ts"
export { join, noise, type WavOptions, wav, wavOf } from "./Sounds.ts"
