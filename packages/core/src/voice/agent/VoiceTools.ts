/** The tools that an agent has by itself, as data, and which of them are offered when. Pure. Source: docs/reference/voice-agent.md#tools. */
import { searchTool } from "../../agents/replying/index.ts"
import type { ChatTool } from "../../gateway/upstreams/index.ts"
import type { AgentFunction, AgentSettings, TransferTarget } from "./AgentSettings.ts"

/** A tool as a model sees it. No parameter of a built-in one is a number, an address or an id. */
export type AgentTool = ChatTool

const parameters = (properties: Readonly<Record<string, object>>, required: ReadonlyArray<string>) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false
})

const text = (description: string) => ({ type: "string", description })

export const endCallTool: AgentTool = {
  name: "end_call",
  description:
    "Ends the conversation, once what you say beside this call has been heard. Say goodbye in the same answer.",
  parameters: parameters({}, [])
}

export const doNotCallTool: AgentTool = {
  name: "place_on_do_not_call_list",
  description:
    "Sees to it that the person on the line is never called again. Use it when they ask not to be called any more. Confirm it to them; the call then ends.",
  parameters: parameters({ reason: text("Why, in the person's words") }, [])
}

export const stopRecordingTool: AgentTool = {
  name: "stop_recording",
  description:
    "Stops the recording of this call and deletes what has been recorded. Use it when the caller asks for that.",
  parameters: parameters({}, [])
}

export const sendMessageTool: AgentTool = {
  name: "send_message",
  description:
    "Sends a chat message to the person on the line, at the number of this call. The result says whether it could be sent.",
  parameters: parameters({ text: text("The message") }, ["text"])
}

export const transferToolName = "transfer_call"

export const transferTool = (targets: ReadonlyArray<TransferTarget>): AgentTool => ({
  name: transferToolName,
  description: [
    "Connects the caller with a person. Say so in the same answer. Targets:",
    ...targets.map(({ description, name }) => `- ${name}${description === "" ? "" : `: ${oneLine(description)}`}`)
  ].join("\n"),
  parameters: parameters({ target: { type: "string", enum: targets.map(({ name }) => name) } }, ["target"])
})

const oneLine = (written: string): string => written.replace(/\s+/g, " ").trim()

/** Names that no function of a host may have. */
export const builtInNames: ReadonlySet<string> = new Set([
  endCallTool.name,
  doNotCallTool.name,
  stopRecordingTool.name,
  sendMessageTool.name,
  transferToolName,
  searchTool.name
])

/** What decides which tools a model is offered. */
export interface ToolSituation {
  readonly isTelephone: boolean
  readonly settings: Pick<AgentSettings, "functions" | "tools" | "transferTargets">
  /** Whether the agent knows anything that can be searched. */
  readonly hasEntries: boolean
  readonly isRecording: boolean
  /** Whether the account can send messages. */
  readonly hasConnectedNumber: boolean
}

/** The built-in tools that fit the situation, then the functions of the host. */
export const toolsFor = (situation: ToolSituation): ReadonlyArray<AgentTool> => {
  const { hasConnectedNumber, hasEntries, isRecording, isTelephone, settings } = situation
  const { functions, tools, transferTargets } = settings
  const sends = isTelephone && hasConnectedNumber && tools.includes(sendMessageTool.name)
  return [
    endCallTool,
    ...(hasEntries ? [searchTool] : []),
    ...(isTelephone ? [doNotCallTool] : []),
    ...(isTelephone && transferTargets.length > 0 ? [transferTool(transferTargets)] : []),
    ...(sends ? [sendMessageTool] : []),
    ...(isRecording ? [stopRecordingTool] : []),
    ...functions.map(functionTool)
  ]
}

/** A function as a model sees it: without its endpoint. */
const functionTool = ({ description, name, parameters: schema }: AgentFunction): AgentTool => ({
  name,
  description,
  parameters: schema
})
