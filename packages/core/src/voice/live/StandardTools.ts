/** The tools that every agent has. Source: docs/reference/voice-agent.md#tools. */
import * as Effect from "effect/Effect"
import { searchTool } from "../../agents/replying/index.ts"
import { type AgentKnowledge, endCallTool, stopRecordingTool } from "../agent/index.ts"
import type { LiveRun } from "./LiveRuns.ts"
import type { CallResult } from "./ReplyRun.ts"
import type { BuiltInTool } from "./SessionFunctions.ts"

const done: CallResult = { content: '{"done":true}', after: null }

/** A failure of ours is a result that says nothing of it. */
const unavailable: CallResult = { content: '{"error":"This is not available at the moment."}', after: null }

export const standardTools =
  (knowledge: AgentKnowledge | null) =>
  ({ recording }: Pick<LiveRun, "recording">): Readonly<Record<string, BuiltInTool>> => {
    const toolbox = knowledge?.newToolbox()
    return {
      [endCallTool.name]: () => Effect.succeed({ ...done, after: "end" }),
      [stopRecordingTool.name]: () => Effect.as(recording.discard, done),
      [searchTool.name]: (args) =>
        toolbox === undefined
          ? Effect.succeed(unavailable)
          : toolbox.use({ id: "", name: searchTool.name, arguments: JSON.stringify(args) }).pipe(
              Effect.map((content): CallResult => ({ content, after: null })),
              Effect.catchCause((cause) =>
                Effect.as(Effect.logError("what an agent knows could not be searched", cause), unavailable)
              )
            )
    }
  }
