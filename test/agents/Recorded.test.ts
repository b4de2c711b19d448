/** Requests as coding agents have sent them, at every upstream that may answer them. Verifies: LANG-1. */
import { readFileSync } from "node:fs"
import { isObject, type LlmApi } from "@trunkline/core/provider"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { chatFaults, messagesFaults, responsesFaults } from "../../packages/core/test/gateway/llm/ApiRules.ts"
import { codingAgents } from "./Agents.ts"
import { type AgentWorld, modelOf, openAgentWorld } from "./AgentWorld.ts"
import { lastWords } from "./ScriptedModel.ts"

type Json = { readonly [name: string]: unknown }

const faults: Readonly<Record<LlmApi, (body: Json) => ReadonlyArray<string>>> = {
  chat_completions: chatFaults,
  messages: messagesFaults,
  responses: responsesFaults
}

const recorded = (name: string) =>
  JSON.parse(readFileSync(new URL(`recorded/${name}.json`, import.meta.url), "utf8")) as {
    readonly package: string
    readonly path: string
    readonly body: Json
  }

// Verifies: G-922.
describe.each(codingAgents)("the request of $name with the results of three tools", (agent) => {
  const { body, package: from, path } = recorded(agent.name)
  let world: AgentWorld
  beforeAll(async () => {
    world = await openAgentWorld(agent.script("/task"))
  })
  afterAll(() => world.close())

  it("is of the version that is run", () => {
    expect(from).toBe(`${agent.packageName}@${agent.version}`)
  })

  it.each([...new Set<LlmApi>(["chat_completions", "messages", agent.api])])(
    "is answered to its end at an upstream with %s, which gets nothing that this API refuses",
    async (api) => {
      const answer = await fetch(`${world.origin}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${world.key}`, "content-type": "application/json" },
        body: JSON.stringify({ ...body, model: modelOf(api) })
      })
      const text = await answer.text()
      expect(answer.status, text).toBe(200)
      expect(text).toMatch(/^event: (response\.completed|message_stop)$/m)
      for (const word of lastWords.split(" ")) expect(text).toContain(word)
      const sent = world.there.at(-1)!.json
      expect(isObject(sent) ? faults[api](sent) : sent).toEqual([])
    }
  )
})
