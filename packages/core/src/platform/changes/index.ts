/**
 * Knows what of an account has changed, in the transaction that changes it, and lets those know who read it.
 *
 * Promises  CHNG-1 a verb of a store that writes has an entry that says which topics it changes, or that it changes none.
 *           CHNG-2 a topic is noted after the commit of its change, never before, and never for a transaction that failed.
 *           CHNG-3 readers hear of their own account alone, and of the kinds that they may read.
 *           CHNG-4 no topic is noted more than four times a second, and its last change always is.
 *           CHNG-5 what one process commits, readers of another one hear of within two seconds, however late it was committed.
 *           CHNG-6 nothing is written for an account that no other process watches.
 * Needs     Storage, ChangeStore.                Emits  nothing.
 * Not here  who may read which topic, and how readers get notes (platform/stream).
 * Read      Topic.ts, StoreTopics.ts, then Changes.ts and RemoteChanges.ts. Source: docs/reference/stream.md.
 */
export { type ChangeNote, ChangeStore, type ChangeWatch } from "./ChangeStore.ts"
export { type ChangeReader, Changes } from "./Changes.ts"
export { nextNoteAt, noteEveryMs } from "./NotePace.ts"
export { PublishedTransactions, publishingStorage } from "./PublishingStorage.ts"
export { RemoteChanges } from "./RemoteChanges.ts"
export { after, nothing, notingStore, type StoreTopics, storeTopics, type Writes } from "./StoreTopics.ts"
export { type Change, change, kindOf, maxTopics, type Topic, type TopicKind, topicKinds } from "./Topic.ts"
export type { AccountTopics } from "./TransactionChanges.ts"
