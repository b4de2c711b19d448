/**
 * Decides what an agent is, whose it is, and which knowledge it has.
 *
 * Promises  BOTS-1 an agent of another account is never seen.
 *           BOTS-2 an answer is at most five runs of a model, each billed to the account; a cancelled one reserves nothing.
 *           BOTS-3 nothing that a customer says becomes one of an agent's rules; what is found is data on a line of its own.
 *           BOTS-4 a question finds entries by its words, and is never read as a query.
 *           BOTS-5 an agent finds what it knows itself, and nothing that another one does.
 *           BOTS-6 a removed agent leaves no knowledge, and rooms that keep its id are unlinked from it.
 *           BOTS-7 an agent that a campaign still needs is not removed.
 *           BOTS-8 what a room calls secret in a configuration is stored encrypted, and shown as a mask alone.
 * Needs     BotStore, BotSecretStore, KnowledgeStore, Vault, BotUses, BotWatcher, BotConfigRules.   Emits  nothing.
 * Not here  what an agent answers: agents/replying. How a question finds a text: agents/search.
 * Read      Bots.ts, then Knowledge.ts. Source: docs/reference/bots.md.
 */
export { BotConfigRules, type ConfigFault, type StoredConfig } from "./BotConfigRules.ts"
export { BotConfigRefused, BotNotFound, botErrors, KnowledgeNotFound, StillInUse } from "./BotErrors.ts"
export { type BotSecret, BotSecretStore } from "./BotSecretStore.ts"
export { BotSecrets } from "./BotSecrets.ts"
export { type Bot, BotStore, botEntity } from "./BotStore.ts"
export { Bots, type NewBot } from "./Bots.ts"
export { BotUses } from "./BotUses.ts"
export { BotWatcher } from "./BotWatcher.ts"
export { type Found as FoundKnowledge, Knowledge } from "./Knowledge.ts"
export { type KnowledgeEntry, type KnowledgeHit, KnowledgeStore, knowledgeEntity } from "./KnowledgeStore.ts"
