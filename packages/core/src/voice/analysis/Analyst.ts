/** Asks a model about one conversation, on the account's bill. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type Bot, Bots } from "../../agents/bots/index.ts"
import { modelOf } from "../../agents/replying/index.ts"
import { ModelCatalogue } from "../../gateway/catalogue/index.ts"
import { ChatModel, type ChatRefused } from "../../gateway/run/index.ts"
import { type Account, Accounts, spenderOf, spendingRefusal } from "../../platform/accounts/index.ts"
import { Instant, tracedFn } from "../../platform/kernel/index.ts"
import { Storage, type StorageError } from "../../platform/storage/index.ts"
import { type AnalysisSettings, analysisSettingsOf } from "../agent/index.ts"
import { type SpokenLine, type SpokenSession, SpokenSessions } from "../sessions/index.ts"
import type { Analysis, Findings } from "./Analysis.ts"
import { promptOf } from "./AnalysisPrompt.ts"
import { findingsOf } from "./AnalysisReader.ts"

/** The outcome of an attempt. `error` is a sentence for the account. */
export type Attempt =
  | { readonly _tag: "Found"; readonly findings: Findings; readonly model: string; readonly session: SpokenSession }
  | { readonly _tag: "Failed"; readonly error: string; readonly model: string | null; readonly mayPass: boolean }

/** Of one answer: a long transcript takes its time, and nobody waits for it. */
const answerMs = 2 * Instant.minute

/** An answer that cannot be read is asked for once more. */
const maxAnswers = 2

/** A summary and twenty fields; models that think count their thoughts as well. */
const maxOutputTokens = 4096

const sentences: Readonly<Record<ChatRefused["reason"], string>> = {
  model_unknown: "There is no such language model",
  model_not_allowed: "The account's plan does not include the model",
  maintenance: "The model is out of service",
  no_upstream: "The model cannot be run: no upstream is configured for it",
  quota: "The plan's calls or the account's budget of this month are used up",
  credits: "The account's credit does not cover the analysis",
  throttled: "The model did not answer",
  upstream: "The model did not answer"
}

const unreadable = "The model's answer could not be read"

interface AnalysisInput {
  readonly account: Account | null
  readonly bot: Bot | null
  readonly lines: ReadonlyArray<SpokenLine>
  readonly session: SpokenSession
}

export interface Analyst {
  /** One attempt: one answer, or two where the first cannot be read. Changes nothing but the bill. */
  readonly attempt: (analysis: Analysis) => Effect.Effect<Attempt, StorageError>
}

export const makeAnalyst = Effect.gen(function* () {
  const accounts = yield* Accounts
  const bots = yield* Bots
  const catalogue = yield* ModelCatalogue
  const chat = yield* ChatModel
  const spoken = yield* SpokenSessions
  const storage = yield* Storage

  const load = Effect.fnUntraced(function* ({ sessionId, tenantId }: Analysis) {
    const session = yield* spoken.find(tenantId, sessionId)
    if (session === null) return null
    const bot = session.botId === null ? null : yield* bots.find(tenantId, session.botId)
    const [account, lines] = [yield* accounts.find(tenantId), yield* spoken.lines(sessionId)]
    return { account, bot, lines, session } satisfies AnalysisInput
  }, storage.read)

  /** What the model said; null where it took too long. */
  const answer = (analysis: Analysis, config: AnalysisSettings, model: string, { account, lines }: Paid) =>
    chat
      .run({
        payer: { ...spenderOf(account), key: null },
        model,
        messages: promptOf(config, lines),
        tools: [],
        maxOutputTokens,
        sessionId: analysis.sessionId,
        traceId: analysis.id
      })
      .pipe(Effect.timeoutOption(answerMs), Effect.map(Option.getOrNull))

  const ask = Effect.fnUntraced(function* (analysis: Analysis, material: Paid) {
    const { bot, session } = material
    const config = analysisSettingsOf(bot?.config ?? {})
    const model = config.model?.trim() || modelOf({ config: bot?.config ?? {} }, catalogue)
    const fails = (error: string, mayPass: boolean): Attempt => ({ _tag: "Failed", error, model, mayPass })
    for (let answers = 0; answers < maxAnswers; answers++) {
      const said = yield* Effect.catchTag(answer(analysis, config, model, material), "ChatRefused", (refused) =>
        Effect.as(Effect.logWarning(`an analysis has no answer: ${refused.detail}`), refused)
      )
      if (said === null) return fails(sentences.upstream, true)
      if ("reason" in said) {
        return fails(sentences[said.reason], said.reason === "upstream" || said.reason === "throttled")
      }
      const findings = findingsOf(said.text, config)
      if (findings !== null) return { _tag: "Found", findings, model, session } satisfies Attempt
    }
    return fails(unreadable, false)
  })

  const attempt = tracedFn("Analyst.attempt")(function* (analysis: Analysis) {
    const material = yield* load(analysis)
    const { account } = material ?? { account: null }
    if (material === null || account === null) return gone
    const refusal = spendingRefusal(account, yield* Instant.now)
    return refusal === null ? yield* ask(analysis, { ...material, account }) : unpaid
  })

  return { attempt } satisfies Analyst
})

type Paid = AnalysisInput & { readonly account: Account }

const gone: Attempt = { _tag: "Failed", error: "The session is gone", model: null, mayPass: false }
const unpaid: Attempt = { _tag: "Failed", error: "The account may not spend credits", model: null, mayPass: false }
