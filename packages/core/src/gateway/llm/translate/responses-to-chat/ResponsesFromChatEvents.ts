/** The chunks of a chat as the events of a response. */
import * as Result from "effect/Result"
import { isObject } from "../../../../platform/kernel/index.ts"
import { piecesOf } from "../../chat/AnswerPieces.ts"
import { type Finish, finishOf } from "../../chat/FinishReason.ts"
import { isText, objectOf } from "../../responses/ResponsesJson.ts"
import {
  failedEvents,
  numbered,
  type ResponseFailure,
  type ResponseState,
  responseOf
} from "../../responses/ResponsesObject.ts"
import { type AnswerContext, type EventTranslator, type Json, type LlmEvent, Unreadable } from "../Translation.ts"
import { endOf, logprobsOf, usageFromChat } from "./ResponsesFromChatAnswer.ts"
import { responsesOutput } from "./ResponsesOutput.ts"

export interface ResponsesTranslator extends EventTranslator {
  /** `response.failed` with the finished part of the response, then `error`: the last events of a stream that broke off. */
  readonly failed: (failure: ResponseFailure) => ReadonlyArray<LlmEvent>
}

export const responsesFromChatEvents = (context: AnswerContext): ResponsesTranslator => {
  const output = responsesOutput(context)
  let sequenceNumber = 0
  let finish: Finish | null = null
  let usage: Json | null = null

  const response = (state: Partial<ResponseState>): Json =>
    responseOf(context, { status: "in_progress", output: output.items(), usage, reason: null, ...state })

  const send = (events: ReadonlyArray<Json>) => events.map((data) => numbered(data, sequenceNumber++))

  const opening = () =>
    sequenceNumber > 0
      ? []
      : [
          { type: "response.created", response: response({}) },
          { type: "response.in_progress", response: response({}) }
        ]

  const push = ({ data }: LlmEvent) =>
    Result.gen(function* () {
      const choices = yield* choicesOf(data)
      const events: Array<Json> = opening()
      const choice = choices.map(objectOf).find(({ index }) => (index ?? 0) === 0) ?? {}
      for (const piece of piecesOf(objectOf(choice.delta), logprobsOf(choice, context))) {
        events.push(...(yield* output.take(piece)))
      }
      if (isText(choice.finish_reason)) finish = finishOf(choice.finish_reason) ?? finish
      usage = usageFromChat(data.usage) ?? usage
      return send(events)
    })

  const end = () =>
    Result.gen(function* () {
      if (finish === null) {
        return yield* Result.fail(new Unreadable({ detail: "the stream ended before its finish_reason" }))
      }
      const last = endOf(finish)
      const events = yield* output.finish(last.status)
      return send([...events, { type: `response.${last.status}`, response: response(last) }])
    })

  const failed = (failure: ResponseFailure) => {
    const events = failedEvents(response({}), failure, sequenceNumber)
    sequenceNumber += events.length
    return events
  }

  return { push, end, failed }
}

/** The choices of a chunk; none in the chunk of the usage. */
const choicesOf = (chunk: Json): Result.Result<ReadonlyArray<unknown>, Unreadable> => {
  if (isObject(chunk.error)) return Result.fail(new Unreadable({ detail: "the stream reports an error" }))
  if (Array.isArray(chunk.choices)) return Result.succeed(chunk.choices)
  if (isObject(chunk.usage)) return Result.succeed([])
  return Result.fail(new Unreadable({ detail: "an event of the stream is no chunk of a chat" }))
}
