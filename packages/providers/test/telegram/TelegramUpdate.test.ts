/** What Telegram delivers: docs/reference/messaging.md#telegram. */
import { storedInbound, telegramText } from "@trunkline/testing/messaging"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readUpdate } from "../../src/telegram/TelegramUpdate.ts"

const message = (more: object) => ({ message: { ...telegramText(4242, 7, "x"), text: undefined, ...more } })
const only = (update: unknown) => {
  const { messages } = readUpdate(JSON.parse(JSON.stringify(update)))
  expect(messages).toHaveLength(1)
  return storedInbound(messages[0]!)
}

describe("an update", () => {
  it("with a text is a message of the person who wrote it", () => {
    const reply_to_message = { message_id: 5 }
    expect(only({ message: telegramText(4242, 7, "Hi 👋", { reply_to_message }) })).toEqual({
      id: "4242:7",
      from: null,
      userRef: "4242",
      name: "Ada L.",
      to: null,
      toRef: null,
      at: 1_795_250_000_000,
      type: "text",
      text: "Hi 👋",
      content: { body: "Hi 👋" },
      contextId: "4242:5",
      isEcho: false,
      newPhone: null,
      newUserRef: null
    })
  })

  it.each([
    [
      "a photo, by its largest size",
      { photo: [{ file_id: "S" }, { file_id: "L" }], caption: "Look" },
      { type: "image", text: "Look", content: { id: "L", mime_type: "image/jpeg", caption: "Look" } }
    ],
    [
      "a document",
      { document: { file_id: "D", file_name: "a.pdf", mime_type: "application/pdf" } },
      { type: "document", text: null, content: { id: "D", filename: "a.pdf", mime_type: "application/pdf" } }
    ],
    [
      "a voice message",
      { voice: { file_id: "V", mime_type: "audio/ogg" } },
      { type: "audio", text: null, content: { id: "V", mime_type: "audio/ogg", voice: true } }
    ],
    ["a video", { video: { file_id: "V" } }, { type: "video", text: null, content: { id: "V" } }],
    ["a sticker", { sticker: { file_id: "S" } }, { type: "sticker", text: null, content: { id: "S" } }],
    [
      "a place",
      { location: { latitude: 1.5, longitude: -2 }, venue: { title: "N", address: "A" } },
      { type: "location", text: null, content: { latitude: 1.5, longitude: -2, name: "N", address: "A" } }
    ],
    [
      "a contact",
      { contact: { first_name: "Grace", phone_number: "+1650" } },
      {
        type: "contacts",
        text: null,
        content: { contacts: [{ name: { formatted_name: "Grace" }, phones: [{ phone: "+1650" }] }] }
      }
    ],
    ["what nobody knows", { poll: {} }, { type: "unsupported", text: null, content: {} }]
  ])("with %s is stored under a type of the product's", (_, more, expected) => {
    expect(only(message(more))).toMatchObject(expected)
  })

  it("of an edited message changes that one, to all that it is then", () => {
    const edited = telegramText(4242, 7, "three pizzas", { edit_date: 1_795_250_060 })
    expect(only({ edited_message: edited })).toMatchObject({
      id: "4242:7:edit-1795250060000",
      at: 1_795_250_060_000,
      change: { msgid: "4242:7", edited: { type: "text", text: "three pizzas", content: { body: "three pizzas" } } }
    })
    const caption = { ...edited, text: undefined, photo: [{ file_id: "L" }], caption: "three" }
    expect(only({ edited_message: caption }).change).toMatchObject({
      edited: { type: "image", text: "three", content: { id: "L", caption: "three" } }
    })
  })

  it("with a tap on a button is the button's text, and is acknowledged to Telegram", () => {
    const tap = {
      callback_query: {
        id: "99",
        from: { id: 4242, is_bot: false, first_name: "Ada" },
        data: "tea",
        message: {
          message_id: 8,
          chat: { id: 4242, type: "private" },
          reply_markup: { inline_keyboard: [[{ text: "Tea, please", callback_data: "tea" }]] }
        }
      }
    }
    expect(only(tap)).toMatchObject({
      id: "4242:tap-99",
      type: "interactive",
      text: "Tea, please",
      content: { type: "button_reply", button_reply: { id: "tea", title: "Tea, please" } },
      contextId: "4242:8"
    })
    expect(readUpdate(tap).reply).toEqual({ method: "answerCallbackQuery", callback_query_id: "99" })
  })

  it("of a group, or of another bot is passed over", () => {
    const text = telegramText(4242, 7, "Hi")
    for (const update of [
      { message: { ...text, chat: { id: -100, type: "group" } } },
      { edited_message: { ...text, chat: { id: -100, type: "group" } } },
      { message: { ...text, from: { id: 1, is_bot: true } } },
      { message: { ...text, message_id: "7" } },
      { channel_post: text },
      {},
      null
    ]) {
      expect(readUpdate(update).messages).toEqual([])
    }
  })

  it("of any shape is read or passed over", () => {
    const inner = fc.anything({ withNullPrototype: true })
    fc.assert(fc.property(inner, (update) => void readUpdate(update)))
    fc.assert(fc.property(inner, (more) => void readUpdate({ message: { ...telegramText(1, 1, "x"), photo: more } })))
  })
})
