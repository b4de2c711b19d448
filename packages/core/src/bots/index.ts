/**
 * Decides what an agent is and whose it is.
 *
 * Promises  BOTS-1 an agent of another account is never seen.
 *           BOTS-2 an answer is at most five runs of a model, each billed to the account; what is given up holds nothing.
 *           BOTS-3 nothing that a customer says becomes one of an agent's rules; what is found is data on a line of its own.
 * Needs     BotStore.                            Tells  nothing yet.
 * Not here  knowledge and the reply loop: they come with the messaging channel.
 * Read      Bots.ts. Source: docs/bots.md.
 */

export { Agent, type AgentAsked, AgentFailed, modelOf, seesImages, standardModel } from "./Agent.ts"
export type { Said } from "./AgentPrompt.ts"
export { type Bot, BotStore } from "./BotStore.ts"
export { BotNotFound, Bots, type NewBot } from "./Bots.ts"
export { BotWatcher } from "./BotWatcher.ts"
export { type Found as FoundKnowledge, Knowledge, KnowledgeNotFound } from "./Knowledge.ts"
export { type KnowledgeEntry, type KnowledgeHit, KnowledgeStore } from "./KnowledgeStore.ts"
export type { IndexedText } from "./KnowledgeTerms.ts"
export * as KnowledgeTerms from "./KnowledgeTerms.ts"
