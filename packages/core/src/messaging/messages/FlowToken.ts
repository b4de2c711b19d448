/** The token by which a flow that was sent is known again. Pure. Source: docs/reference/flows.md#tokens. */
import { isObject } from "../../platform/kernel/index.ts"
import type { JsonObject } from "./JsonObject.ts"
import type { Message } from "./Message.ts"

const isMissing = (value: unknown): boolean => value === undefined || value === null

/** The same, with the token where it has none; null where it has one. */
const tokened = (parameters: JsonObject, token: string): JsonObject | null =>
  isMissing(parameters.flow_token) ? { ...parameters, flow_token: token } : null

const inInteractive = (body: JsonObject, token: string): JsonObject | null => {
  const { action, type } = body
  if (type !== "flow" || !isObject(action)) return null
  const parameters = tokened(isObject(action.parameters) ? action.parameters : {}, token)
  return parameters === null ? null : { ...body, action: { ...action, parameters } }
}

const isFlowButton = (component: unknown): component is JsonObject =>
  isObject(component) && String(component.sub_type).toLowerCase() === "flow"

const isAction = (parameter: unknown): parameter is JsonObject => isObject(parameter) && parameter.type === "action"

const inButton = (button: JsonObject, token: string): JsonObject => {
  const parameters = Array.isArray(button.parameters) ? button.parameters : []
  if (!parameters.some(isAction)) {
    return { ...button, parameters: [...parameters, { type: "action", action: { flow_token: token } }] }
  }
  return {
    ...button,
    parameters: parameters.map((one: unknown) => {
      if (!isAction(one)) return one
      const action = isObject(one.action) ? one.action : {}
      return { ...one, action: tokened(action, token) ?? action }
    })
  }
}

const inTemplate = (body: JsonObject, token: string): JsonObject | null => {
  const components: ReadonlyArray<unknown> = Array.isArray(body.components) ? body.components : []
  const given = JSON.stringify(components)
  const now = components.map((one) => (isFlowButton(one) ? inButton(one, token) : one))
  return JSON.stringify(now) === given ? null : { ...body, components: now }
}

/** A content whose flow has no token gets this one. Null where it sends no flow, or brings a token of its own. */
export const withFlowToken = ({ body, type }: Pick<Message, "type" | "body">, token: string): JsonObject | null =>
  type === "interactive" ? inInteractive(body, token) : type === "template" ? inTemplate(body, token) : null

/** The channel's id of the flow that a message sends; null where it names none. */
export const sentFlowId = ({ body, type }: Pick<Message, "type" | "body">): string | null => {
  const action = type === "interactive" && isObject(body.action) ? body.action : {}
  const id = isObject(action.parameters) ? action.parameters.flow_id : undefined
  if (typeof id === "number") return String(id)
  return typeof id === "string" && id !== "" ? id : null
}

/** A token from 16 random bytes, which the caller draws. */
export const flowTokenOf = (bytes: Uint8Array): string =>
  `ft_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`
