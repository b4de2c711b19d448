/**
 * Streams to people what of their account has changed.
 *
 * Promises  STRM-1 a person hears of their account alone, and of what they may read; a key hears of nothing.
 *           STRM-2 a client that reads slowly gets one `resync` in place of what it has missed, and grows no buffer.
 *           STRM-3 a person has 10 streams of a process at most, an account 200; more are refused, and open ones stay.
 *           STRM-4 a stream ends within five seconds of its token or session, and asks its client to come again at a stop.
 * Needs     Changes, RemoteChanges, Authentication.  Emits  nothing.
 * Not here  what changes a topic (platform/changes and the rooms' values), data: routes are the only source of it.
 * Read      TopicReaders.ts, OpenStream.ts, then ChangeStreams.ts. Source: docs/reference/stream.md.
 */

export { StreamOfPeople, TooManyStreams } from "./ChangeStreamErrors.ts"
export { ChangeStreams, maxStreams } from "./ChangeStreams.ts"
export { streamGroup } from "./StreamApi.ts"
export { kindsFor } from "./TopicReaders.ts"
