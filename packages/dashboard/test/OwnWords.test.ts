/** An installation's own word for chats. */
import { describe, expect, it } from "vitest"
import { inOwnPath, neutralScopes } from "../pages/frame/OwnWords.ts"

describe("an installation's own word for chats", () => {
  it("stands in the path of a request, and in no other path", () => {
    const at = (path: string) => inOwnPath(`https://host.example/messaging/api/v1/${path}`, "chat")
    expect(at("messaging/phone_numbers")).toBe("https://host.example/messaging/api/v1/chat/phone_numbers")
    for (const path of ["telephony/numbers", "messagings", "bots"]) expect(at(path)).toContain(`/api/v1/${path}`)
  })

  it("is neutral in what a person may do", () => {
    expect(neutralScopes(["calls:read", "chat:read", "chats:read"], "chat")).toEqual([
      "calls:read",
      "messaging:read",
      "chats:read"
    ])
  })
})
