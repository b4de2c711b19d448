/** Messages of groups, which are not built: docs/reference/messaging.md#groups. Verifies: CHAT-3, CHAT-5. */
import { Instant } from "@trunkline/core/effect"
import { inboundStatuses, sampleBodies, sampleCustomer } from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { NativeSend } from "../../src/messaging/sending/index.ts"
import { scenario } from "./ReplyScenarios.ts"

const { inboundEcho, inboundMessage, inboundStatus } = sampleBodies
const { minute } = Instant

const group = "Y2FwaV9ncm91cDox"

describe("a message in a group", () => {
  scenario("is stored apart, is not answered, not marked read, and opens no window", function* (world) {
    yield* world.delivers({ messages: [world.text("What do you all think?", { group_id: group })] })
    yield* world.pass(minute)
    expect(world.model.works).toEqual([])
    expect(world.platform.calls.filter(({ verb }) => verb === "send" || verb === "markRead")).toEqual([])
    expect(yield* world.findCustomer(sampleCustomer.phone)).toBeNull()
    expect(yield* world.customer(group)).toMatchObject({ phone: null, windowExpiresAt: null })
    expect((yield* world.messages(group)).map(({ text }) => text)).toEqual(["What do you all think?"])
    const { phoneNumberId } = yield* world.number
    const text = { type: "text", content: "Hi", answers: null } as const
    const sent = yield* Effect.exit(
      world.run(
        NativeSend.use((native) =>
          native.send(world.tenant, { phoneNumberId, to: { _tag: "User", userId: sampleCustomer.userRef }, ...text })
        )
      )
    )
    expect(JSON.stringify(sent)).toContain("WindowClosed")
  })

  scenario("leaves what its writer asks in private as it is", function* (world) {
    yield* world.writes("In private")
    yield* world.delivers({ messages: [world.text("In the group", { group_id: group })] })
    yield* world.pass(minute)
    expect(world.asked).toEqual([["In private"]])
    const open = yield* world.customer()
    yield* world.jump(10 * minute)
    yield* world.delivers({ messages: [world.text("In the group", { group_id: group })] })
    expect(yield* world.customer()).toEqual(open)
  })

  scenario("may be a reaction, or be edited and deleted", function* (world) {
    const first = world.text("one", { group_id: group })
    yield* world.delivers({
      messages: [first, inboundMessage("reaction", { message_id: first.id, emoji: "👍" }, { group_id: group })]
    })
    const edit = { original_message_id: first.id, message: { type: "text", text: { body: "two" } } }
    yield* world.delivers({ messages: [inboundMessage("edit", edit, { group_id: group, timestamp: world.second })] })
    expect((yield* world.messages(group)).map(({ text, type }) => [type, text])).toEqual([
      ["text", "two"],
      ["reaction", null]
    ])
    const revoke = inboundMessage("revoke", { original_message_id: first.id }, { group_id: group })
    yield* world.delivers({ messages: [revoke] })
    expect((yield* world.messages(group))[0]!.deletedAt).not.toBeNull()
    yield* world.pass(minute)
    expect(world.model.works).toEqual([])
  })
})

describe("what the number's own app writes in a group", () => {
  scenario("is stored there, and answers nobody who waits in private", function* (world) {
    yield* world.writes("How much?")
    yield* world.delivers({ echoes: [inboundEcho("Hello all", { group_id: group, timestamp: world.second })] })
    yield* world.pass(minute)
    expect(world.texts()).toEqual(["hello"])
    expect((yield* world.messages(group)).map(({ role }) => role)).toEqual(["agent"])
  })
})

describe("a report about a message to a group", () => {
  scenario("names nobody", function* (world) {
    yield* world.delivers({ echoes: [inboundEcho("Hello all", { id: "wamid.g", group_id: group })] })
    const status = { recipient_type: "group", recipient_id: "120363040000000001", recipient_participant_id: "1" }
    yield* world.deliver(inboundStatuses(inboundStatus("wamid.g", "delivered", status)))
    expect((yield* world.messages(group)).map(({ status }) => status)).toEqual(["delivered"])
    expect(yield* world.customer(group)).toMatchObject({ phone: null })
  })
})
