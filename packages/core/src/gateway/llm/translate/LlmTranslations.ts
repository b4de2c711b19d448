/** Which translation carries a request to an upstream. Pure. Source: docs/reference/language-models.md#translations. */
import * as Result from "effect/Result"
import { chatToMessages } from "./chat-to-messages/ChatToMessages.ts"
import { messagesToChat } from "./messages-to-chat/MessagesToChat.ts"
import { passThrough } from "./PassThrough.ts"
import { responsesParam, responsesToChat } from "./responses-to-chat/ResponsesToChat.ts"
import {
  type AnswerContext,
  type EventTranslator,
  type LlmApi,
  type LlmEvent,
  type Translation,
  type Unreadable,
  Untranslatable
} from "./Translation.ts"

export interface ChosenTranslation {
  /** The API of the upstream. */
  readonly api: LlmApi
  readonly translation: Translation
}

/** The translation to the first API that carries the caller's; null where the upstream has none. */
export const translationTo = (caller: LlmApi, apis: ReadonlyArray<LlmApi>): ChosenTranslation | null => {
  if (apis.includes(caller)) return { api: caller, translation: passThrough[caller] }
  const api = (["chat_completions", "messages"] as const).find((one) => apis.includes(one))
  return api === undefined ? null : { api, translation: translations[caller][api]! }
}

/** One translation after the other. `rename`: a field of the middle API in the words of the caller's. */
const composed = (outer: Translation, inner: Translation, rename: (param: string) => string): Translation => ({
  request: (request, context) =>
    Result.flatMap(outer.request(request, context), (middle) =>
      Result.mapError(
        inner.request(middle, context),
        ({ message, param }) => new Untranslatable({ message, param: rename(param) })
      )
    ),
  answer: (answer, context) => {
    const middle = inner.answer(answer, middleContext(context))
    return Result.flatMap(middle, (one) => outer.answer(one, context))
  },
  events: (context) => new ComposedEvents(outer.events(context), inner.events(middleContext(context)))
})

/** The chat in the middle is whole: with its usage, and with reasoning. */
const middleContext = (context: AnswerContext): AnswerContext => ({
  ...context,
  request: { stream_options: { include_usage: true } }
})

class ComposedEvents implements EventTranslator {
  readonly #outer: EventTranslator
  readonly #inner: EventTranslator

  constructor(outer: EventTranslator, inner: EventTranslator) {
    this.#outer = outer
    this.#inner = inner
  }

  push(event: LlmEvent) {
    return Result.flatMap(this.#inner.push(event), (events) => this.#pushAll(events))
  }

  end() {
    const last = Result.flatMap(this.#inner.end(), (events) => this.#pushAll(events))
    return Result.flatMap(last, (events) => Result.map(this.#outer.end(), (more) => [...events, ...more]))
  }

  #pushAll(events: ReadonlyArray<LlmEvent>): Result.Result<ReadonlyArray<LlmEvent>, Unreadable> {
    const all: Array<LlmEvent> = []
    for (const event of events) {
      const pushed = this.#outer.push(event)
      if (Result.isFailure(pushed)) return pushed
      all.push(...pushed.success)
    }
    return Result.succeed(all)
  }
}

const translations: Readonly<Record<LlmApi, Partial<Record<LlmApi, Translation>>>> = {
  chat_completions: { messages: chatToMessages },
  messages: { chat_completions: messagesToChat },
  responses: {
    chat_completions: responsesToChat,
    messages: composed(responsesToChat, chatToMessages, responsesParam)
  }
}
