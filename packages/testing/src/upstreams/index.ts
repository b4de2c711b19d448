/** Providers of models on 127.0.0.1 that answer as their documentation says, misbehave where a test asks for it, and keep a log. */
export { audioOf, spokenAudio } from "./FakeAudio.ts"
export { deepgramError, startFakeDeepgram } from "./FakeDeepgram.ts"
export { type FakeListenServer, type ListenClient, startFakeListenServer } from "./FakeListenServer.ts"
export {
  type FakeLlmServer,
  type FakeLlmServerOptions,
  type LlmAnswer,
  llmBodies,
  llmEvents,
  type ScriptedEvent,
  sentEvents,
  startFakeLlmServer
} from "./FakeLlmServer.ts"
export {
  type FakeProviderOptions,
  imageBytes,
  type OpenAiChatAnswer,
  openAiChat,
  openAiEmbeddings,
  openAiError,
  openAiImages,
  openAiVector,
  startFakeOpenAi
} from "./FakeOpenAi.ts"
export { sarvamError, startFakeSarvam } from "./FakeSarvam.ts"
export {
  type FakePage,
  type FakeSearchOptions,
  fakePages,
  startFakeBrave,
  startFakeSearxng,
  startFakeTavily
} from "./FakeSearchServers.ts"
export {
  type FakeUpstream,
  type FakeUpstreamOptions,
  type StreamPiece,
  startFakeUpstream,
  type UpstreamCall,
  type UpstreamFile,
  type UpstreamMood
} from "./FakeUpstream.ts"
export {
  type AskedOfVoice,
  type FakeCall,
  type FakeFault,
  type FakeHearing,
  type FakeReply,
  type FakeSpeech,
  type FakeVoiceOptions,
  type FakeVoiceUpstream,
  startFakeVoiceUpstream
} from "./FakeVoiceUpstream.ts"
