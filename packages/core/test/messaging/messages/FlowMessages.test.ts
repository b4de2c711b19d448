/** Tokens of flows that are sent, and flows that customers complete: docs/reference/flows.md#tokens, #completed. */
import { describe, expect, it } from "vitest"
import { completedFlow } from "../../../src/messaging/messages/CompletedFlow.ts"
import { flowTokenOf, sentFlowId, withFlowToken } from "../../../src/messaging/messages/FlowToken.ts"

const token = flowTokenOf(Uint8Array.from({ length: 16 }, (_, at) => at * 16 + 1))

const flow = (parameters?: object) => ({
  type: "flow",
  body: { text: "Book" },
  action: { name: "flow", ...(parameters === undefined ? {} : { parameters }) }
})

const template = (...components: ReadonlyArray<object>) => ({ name: "a", language: { code: "en" }, components })

const action = (fields: object) => ({ type: "action", action: fields })
const button = (parameters?: ReadonlyArray<object>) => ({
  type: "button",
  sub_type: "flow",
  index: "0",
  ...(parameters === undefined ? {} : { parameters })
})

describe("the token of a flow", () => {
  it("is ft_ and 32 characters", () => {
    expect(token).toBe("ft_01112131415161718191a1b1c1d1e1f1")
  })

  it.each([
    ["interactive", flow({ flow_id: "1" }), flow({ flow_id: "1", flow_token: token })],
    ["interactive", flow({ flow_token: null }), flow({ flow_token: token })],
    ["interactive", flow(), flow({ flow_token: token })],
    ["template", template(button()), template(button([action({ flow_token: token })]))],
    [
      "template",
      template({ type: "body" }, button([action({ flow_action_data: { a: 1 } })])),
      template({ type: "body" }, button([action({ flow_action_data: { a: 1 }, flow_token: token })]))
    ]
  ] as const)("is put into %s %j", (type, body, with_) => {
    expect(withFlowToken({ type, body }, token)).toEqual(with_)
  })

  it.each([
    ["interactive", flow({ flow_token: "mine" })],
    ["interactive", { type: "button", action: { buttons: [] } }],
    ["interactive", { type: "flow" }],
    ["template", template(button([action({ flow_token: "mine" })]))],
    ["template", template({ type: "button", sub_type: "url", index: "0" })],
    ["template", { name: "a", language: { code: "en" } }],
    ["text", { body: "flow" }]
  ] as const)("is not put into %s %j", (type, body) => {
    expect(withFlowToken({ type, body }, token)).toBeNull()
  })

  it.each([
    ["interactive", flow({ flow_id: "4711" }), "4711"],
    ["interactive", flow({ flow_id: 4711 }), "4711"],
    ["interactive", flow({ flow_name: "book" }), null],
    ["template", template(button()), null],
    ["text", { body: "a" }, null]
  ] as const)("of %s %j leads to the flow %s", (type, body, id) => {
    expect(sentFlowId({ type, body })).toBe(id)
  })
})

describe("a completed flow", () => {
  const reply = (response_json: unknown) => ({
    type: "interactive",
    flowId: "4711",
    body: { type: "nfm_reply", nfm_reply: { name: "flow", response_json } }
  })

  it.each([
    ['{"flow_token":"t","a":1,"b":{"c":[2]}}', "t", { a: 1, b: { c: [2] } }],
    ['{"a":1}', null, { a: 1 }],
    ['{"flow_token":7}', null, {}],
    ["{", null, null],
    ["[1]", null, null],
    ["null", null, null],
    [undefined, null, null],
    [{ a: 1 }, null, null],
    [`${'{"a":'.repeat(1000)}1${"}".repeat(1000)}`, null, null]
  ])("of %.40s has the token %s and its values", (json, found, values) => {
    expect(completedFlow(reply(json))).toEqual({ token: found, flowId: "4711", values })
  })

  it.each([
    { type: "interactive", body: { button_reply: { id: "1", title: "a" } } },
    { type: "text", body: { nfm_reply: { response_json: "{}" } } },
    { type: "interactive", body: { nfm_reply: "text" } }
  ])("is none of %j", ({ body, type }) => {
    expect(completedFlow({ type, body, flowId: null })).toBeNull()
  })
})
