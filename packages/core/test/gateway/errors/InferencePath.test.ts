/** The paths by which clients reach routes of inference: docs/reference/gateway.md#clients. */
import { expect, it } from "vitest"
import { contractPath, patternsOf } from "../../../src/gateway/errors/InferencePath.ts"

it.each([
  ["/v1/chat/completions", ["/v1/chat/completions", "/openai/v1/chat/completions"]],
  ["/v1/files/:file_id", ["/v1/files/:file_id", "/openai/v1/files/:file_id"]],
  ["/v1/models", ["/v1/models", "/openai/v1/models"]],
  ["/v1/models/:model", ["/v1/models/*", "/openai/v1/models/*"]]
])("routers write %s with its alias, and a model's id as the rest of the path", (path, patterns) => {
  expect(patternsOf(path)).toEqual(patterns)
  const ofContract = path.replace(":model", "a%2Fb")
  for (const pattern of patterns) expect(contractPath(pattern.replace("*", "a/b"))).toBe(ofContract)
})
