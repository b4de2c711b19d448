/** When an agent answers, what it knows, and what keeps it from it. Verifies: CHAT-2, CHAT-3. */

import { Accounts, Bots, type Ids, Instant } from "@trunkline/core/effect"
import { chatAnswer, wants } from "@trunkline/testing/inference"
import {
  inboundMessages,
  type ReplyWorld,
  refusedWith,
  sampleBodies,
  sampleCustomer
} from "@trunkline/testing/messaging"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { operator } from "../../src/platform/accounts/index.ts"
import { names, scenario, start } from "./ReplyScenarios.ts"

const { inbound, inboundEcho } = sampleBodies

const { day, minute, second } = Instant

/** What the model was shown as pictures in its last run. */
const shown = ({ model }: ReplyWorld) =>
  model.works.at(-1)!.messages.flatMap((message) => (message.role === "user" ? message.images : []))

/** A model that takes its time. */
const slow = ({ model }: ReplyWorld, milliseconds: number) => {
  let answers = 0
  model.does(() =>
    Effect.as(Effect.sleep(milliseconds), chatAnswer()).pipe(
      Effect.map((answer) => ({ ...answer, text: `answer ${++answers}` }))
    )
  )
}

/** A model that fails after a time; returns when it was asked, in milliseconds from the start on. */
const failing = ({ model }: ReplyWorld, afterMs: number): ReadonlyArray<number> => {
  const at: Array<number> = []
  model.does(() =>
    Effect.gen(function* () {
      at.push((yield* Instant.now) - start)
      yield* Effect.sleep(afterMs)
      return yield* Effect.die(new Error("a bug of the upstream's"))
    })
  )
  return at
}

describe("an answer", () => {
  // Verifies: M-6, M-7, M-43, N-46.
  scenario("comes a moment after the message, and is reported by events", function* (world) {
    world.model.says("We have green tea.")
    yield* world.writes("Which tea do you have?")
    yield* world.pass(1499)
    expect(world.model.works).toEqual([])
    yield* world.pass(1)
    expect(world.texts()).toEqual(["We have green tea."])
    expect(world.platform.accepted[0]!.body).toMatchObject({ type: "text", recipient_type: "individual" })
    const [asked, answer] = yield* world.messages()
    expect(asked).toMatchObject({ direction: "inbound", role: "user", status: "received" })
    const { conversationId } = yield* world.customer()
    const { handledUpTo } = yield* world.job()
    expect(handledUpTo).toBe(asked!.id)
    const { id } = world.platform.accepted[0]!
    expect(answer).toMatchObject({ direction: "outbound", role: "assistant", status: "sent", part: 0, msgid: id })
    const events = yield* world.events
    expect(names(events)).toEqual(["conversation.started", "message.received", "message.sent", "message.status"])
    expect(events[2]).toMatchObject({
      botId: world.bot.id,
      data: {
        conversation_id: conversationId,
        msgid: id,
        phone_number_id: "106540352242922",
        user_id: sampleCustomer.userRef,
        role: "assistant",
        type: "text",
        text: "We have green tea."
      }
    })
  })

  scenario("to six messages within three seconds is one, and knows them all", function* (world) {
    world.model.says("All of that, yes.")
    const texts = ["1", "2", "3", "4", "5", "6"]
    for (const text of texts) {
      yield* world.writes(text)
      yield* world.pass(500)
    }
    yield* world.pass(minute)
    expect(world.texts()).toEqual(["All of that, yes."])
    expect(world.asked).toEqual([texts])
    expect(world.platform.accepted[0]!.at - start).toBe(2500 + 1500)
  })

  scenario(
    "comes at once where nothing is to be waited for",
    function* (world) {
      yield* world.writes("1")
      yield* world.rest
      expect(world.texts()).toEqual(["hello"])
    },
    { reply: { quietMs: 0 } }
  )

  scenario("is made anew with the message that came while it was made", function* (world) {
    const run = world.model.waits()
    yield* world.writes("Green tea, please.")
    yield* world.pass(1500)
    yield* run.begun
    yield* world.writes("No, black.")
    world.model.says("Black, then.")
    yield* run.answer("Green, then.")
    yield* world.pass(minute)
    expect(world.texts()).toEqual(["Black, then."])
    expect(world.asked).toEqual([["Green tea, please."], ["Green tea, please.", "No, black."]])
    expect((yield* world.job()).waitingSince).toBeNull()
  })

  scenario("is not delayed by a sticker that came while it was made", function* (world) {
    const run = world.model.waits()
    yield* world.writes("Hi")
    yield* world.pass(1500)
    yield* world.deliver(inboundMessages(inbound.sticker()))
    yield* run.answer("Hello!")
    yield* world.pass(minute)
    expect(world.texts()).toEqual(["Hello!"])
    expect(world.model.works).toHaveLength(1)
    expect((yield* world.job()).dueAt).toBeNull()
  })

  scenario("comes to somebody who never stops writing, within the longest wait and two runs", function* (world) {
    slow(world, 3 * second)
    for (let nth = 0; nth < 30; nth += 1) {
      yield* world.writes(String(nth))
      yield* world.pass(second)
    }
    yield* world.pass(minute)
    const [first] = world.platform.accepted
    expect(first!.at - start).toBeLessThanOrEqual((12 + 2 * 3) * second)
    expect(world.platform.accepted.length).toBeLessThanOrEqual(4)
    // The last answer knows everything, and nothing waits.
    expect(world.asked.at(-1)).toEqual(Array.from({ length: 30 }, (_, nth) => String(nth)))
    expect((yield* world.job()).waitingSince).toBeNull()
  })

  scenario(
    "to what was written before the reply to earlier messages is made with it at the end",
    function* (world) {
      const run = world.model.waits()
      yield* world.writes("One?")
      yield* world.pass(2 * second)
      yield* run.begun
      yield* world.writes("Two?")
      world.model.says("Two.")
      yield* run.answer("One.")
      yield* world.pass(minute)
      expect(world.texts()).toEqual(["One.", "Two."])
      const said = world.model.works.at(-1)!.messages.map((message) => ("text" in message ? message.text : null))
      expect(said.slice(-3)).toEqual(["One?", "One.", "Two?"])
    },
    { reply: { maxWaitMs: 1500 } }
  )

  scenario("to forty customers at once goes to each their own, in order", function* (world) {
    const customers = Array.from({ length: 40 }, (_, n) => `4917${1_000_000 + n}`)
    world.model.does(({ messages }) => {
      const asked = messages.at(-1)!.text
      return Effect.succeed(chatAnswer({ text: `to ${asked}\n\n${"a".repeat(4080)}\n\nend ${asked}` }))
    })
    const texts = customers.map((from) => world.text(from, { from, from_user_id: undefined }))
    yield* world.deliver(inboundMessages(...texts))
    yield* world.pass(minute)
    for (const one of customers) {
      const [first, last, ...more] = world.platform.texts(one)
      expect([first!.split("\n")[0], last!.split("\n").at(-1), more]).toEqual([`to ${one}`, `end ${one}`, []])
    }
  })

  scenario("to one customer does not wait for another one's", function* (world) {
    world.model.does((work) =>
      JSON.stringify(work.messages).includes("slowly") ? Effect.never : Effect.succeed(chatAnswer({ text: "quick" }))
    )
    yield* world.writes("slowly")
    yield* world.deliver(inboundMessages(world.text("Hi", { from: "4917012345678", from_user_id: undefined })))
    yield* world.pass(2 * second)
    expect(world.texts("4917012345678")).toEqual(["quick"])
    expect(world.texts(sampleCustomer.phone)).toEqual([])
  })
})

describe("a message group", () => {
  scenario("that got its reply gets no second one with the next group", function* (world) {
    world.model.says("one", "two")
    yield* world.writes("1")
    yield* world.pass(5 * second)
    yield* world.writes("2")
    yield* world.pass(minute)
    expect(world.texts()).toEqual(["one", "two"])
    expect(world.asked).toEqual([["1"], ["1", "2"]])
  })

  scenario("of a thousand messages is one group", function* (world) {
    yield* world.writes(...Array.from({ length: 1000 }, (_, nth) => `m${nth}`))
    yield* world.pass(minute)
    expect(world.texts()).toEqual(["hello"])
    expect(world.asked[0]!.at(-1)).toBe("m999")
  })
})

describe("a model", () => {
  scenario(
    "that fails runs again after 2, 8 and 30 seconds and then no more; the next message gets a reply",
    function* (world) {
      const at = failing(world, 0)
      yield* world.writes("1")
      yield* world.pass(5 * minute)
      expect(at).toEqual([1500, 3500, 11_500, 41_500])
      expect(yield* world.job()).toMatchObject({ waitingSince: null, dueAt: null, failures: 0 })
      world.model.says("Here I am.")
      yield* world.writes("2")
      yield* world.pass(2 * second)
      expect(world.texts()).toEqual(["Here I am."])
      expect(world.asked.at(-1)).toEqual(["1", "2"])
    }
  )

  scenario("that fails has all of its runs again for a customer who writes meanwhile", function* (world) {
    const at = failing(world, 0)
    yield* world.writes("1")
    yield* world.pass(40 * second)
    yield* world.writes("2")
    yield* world.pass(5 * minute)
    expect(at).toEqual([1500, 3500, 11_500, 41_500, 43_500, 51_500, 81_500])
    expect(yield* world.job()).toMatchObject({ waitingSince: null, dueAt: null, failures: 0 })
  })

  scenario("that fails while a customer writes counts the run as the first of the new ones", function* (world) {
    const at = failing(world, 2 * second)
    yield* world.writes("1")
    yield* world.pass(48 * second)
    expect(at).toEqual([1500, 5500, 15_500, 47_500])
    yield* world.writes("2")
    yield* world.pass(5 * minute)
    expect(at.slice(4)).toEqual([51_500, 61_500, 93_500])
    expect(yield* world.job()).toMatchObject({ waitingSince: null, dueAt: null, failures: 0 })
  })

  scenario("whose upstream fails runs again, and replies once it can", function* (world) {
    world.model.fails("failed")
    yield* world.writes("1")
    yield* world.pass(5 * second)
    expect(world.model.works).toHaveLength(2)
    world.model.says("Back.")
    yield* world.pass(10 * second)
    expect(world.texts()).toEqual(["Back."])
    expect((yield* world.job()).failures).toBe(0)
  })

  scenario(
    "that wants to be asked later is asked later, a minute at most, whatever is written meanwhile",
    function* (world) {
      world.model.fails("throttled", 20)
      yield* world.writes("1")
      yield* world.pass(2 * second)
      world.model.says("Now.")
      yield* world.writes("2")
      yield* world.pass(19 * second)
      expect(world.texts()).toEqual([])
      yield* world.pass(second)
      expect(world.texts()).toEqual(["Now."])
      world.model.fails("throttled", 86_400)
      yield* world.writes("3")
      yield* world.pass(2 * second)
      world.model.says("Soon.")
      yield* world.pass(minute)
      expect(world.texts()).toEqual(["Now.", "Soon."])
    }
  )

  scenario(
    "that could answer counts as one that has not failed, also where its answer came too late",
    function* (world) {
      world.model.fails("failed")
      yield* world.writes("1")
      yield* world.pass(12 * second)
      expect(world.model.works).toHaveLength(3)
      slow(world, 2 * second)
      yield* world.pass(29_500)
      yield* world.writes("2")
      world.model.fails("failed")
      yield* world.pass(5 * second)
      world.model.says("There.")
      yield* world.pass(minute)
      expect(world.texts()).toEqual(["There."])
    },
    { reply: { maxWaitMs: minute } }
  )

  scenario("that has nothing to say is not asked again", function* (world) {
    world.model.says("")
    yield* world.writes("Thanks!")
    yield* world.pass(5 * minute)
    expect(world.model.works).toHaveLength(1)
    expect((yield* world.job()).waitingSince).toBeNull()
  })

  scenario(
    "that hangs is cancelled after three minutes; until then the customer sees typing, and the claim is renewed",
    function* (world) {
      world.model.promises(10 * minute)
      world.model.waits()
      yield* world.writes("1")
      yield* world.pass(1500 + 3 * minute - 1, 5 * second)
      expect(world.model.interrupted).toBe(0)
      expect((yield* world.job()).waitingSince).not.toBeNull()
      const typed = world.platform.of("markRead").filter(({ at }) => at > start)
      expect(typed.map(({ at }) => at - start - 1500)).toEqual(
        [0, 20, 40, 60, 80, 100, 120, 140, 160].map((s) => s * second)
      )
      yield* world.pass(minute)
      // No other process claimed the job meanwhile, and the model is not asked again.
      expect(world.model.works).toHaveLength(1)
      expect(world.model.interrupted).toBe(1)
      world.model.says("Still here.")
      yield* world.writes("2")
      yield* world.pass(2 * second)
      expect(world.texts()).toEqual(["Still here."])
    },
    { processes: 2 }
  )

  scenario("that only ever asks for its tools gives no reply, and the next message gets one", function* (world) {
    world.model.says(wants(["search_knowledge_base", { query: "tea" }]))
    yield* world.writes("1")
    yield* world.pass(5 * minute)
    expect(world.model.works).toHaveLength(5)
    world.model.says("Tea.")
    yield* world.writes("2")
    yield* world.pass(2 * second)
    expect(world.texts()).toEqual(["Tea."])
  })

  scenario("does not read what the customer never got, and reads what a human operator wrote", function* (world) {
    world.platform.next(() => Effect.fail(refusedWith(131026)))
    yield* world.writes("1")
    yield* world.pass(2 * second)
    yield* world.delivers({ echoes: [inboundEcho("I look into it.")] })
    yield* world.writes("2")
    yield* world.pass(2 * second)
    const [, ...history] = world.model.works.at(-1)!.messages
    expect(history.map((message) => ("text" in message ? message.text : null))).toEqual([
      "1",
      "[From a colleague] I look into it.",
      "2"
    ])
  })
})

describe("a message that answers another one", () => {
  scenario("is read with the beginning of that one, however long ago it was said", function* (world) {
    world.model.says("1) Green\n2) Black")
    yield* world.writes("Which teas are there?")
    yield* world.pass(minute)
    const [, offer] = yield* world.messages()
    for (const text of ["Thanks", "Nice weather"]) {
      yield* world.writes(text)
      yield* world.pass(minute)
    }
    const answered = (context: string) => world.text("Two of these", { context: { id: context } })
    yield* world.deliver(inboundMessages(answered(offer!.msgid!), answered("wamid.of-nobody")))
    yield* world.pass(minute)
    expect(world.asked.at(-1)!.slice(-2)).toEqual(["[in answer to: 1) Green 2) Black]\nTwo of these", "Two of these"])
  })
})

describe("a picture", () => {
  const bytes = new Uint8Array([0xff, 0xd8, 0xff])
  const picture = (caption?: string) => inboundMessages(inbound.image(caption))
  const kept = (world: ReplyWorld) =>
    world.platform.files.set("1003383421387256", { contentType: "image/jpeg", size: 3, bytes })
  const blind = { config: { model: "oss-120b" } }

  scenario("gets a reply from an agent that sees it", function* (world) {
    kept(world)
    yield* world.deliver(picture())
    yield* world.pass(2 * second)
    expect(world.texts()).toEqual(["hello"])
    expect(shown(world)).toMatchObject([{ contentType: "image/jpeg", bytes }])
  })

  scenario("that cannot be fetched is named in words", function* (world) {
    yield* world.deliver(picture())
    yield* world.pass(2 * second)
    expect(shown(world)).toEqual([])
    expect(world.asked).toEqual([["[image]"]])
    expect(world.texts()).toEqual(["hello"])
  })

  scenario("is stored and gets no reply where the agent's model accepts no images", function* (world) {
    yield* world.changeBot(blind)
    yield* world.deliver(picture("This one"))
    yield* world.pass(minute)
    expect(world.model.works).toEqual([])
    expect(yield* world.messages()).toMatchObject([{ type: "image", text: "This one" }])
    // Not even when it can see later.
    yield* world.changeBot({ config: {} })
    yield* world.pass(minute)
    expect(world.model.works).toEqual([])
  })

  scenario("is named in words to a model that accepts no images, once there is something to answer", function* (world) {
    yield* world.changeBot(blind)
    yield* world.deliver(picture("This one"))
    yield* world.writes("What is it?")
    yield* world.pass(minute)
    expect(world.asked).toEqual([["[image] This one", "What is it?"]])
    expect(world.platform.of("media")).toEqual([])
  })

  scenario("of many is shown up to the fourth, counted from the last", function* (world) {
    kept(world)
    yield* world.deliver(inboundMessages(...Array.from({ length: 6 }, () => inbound.image())))
    yield* world.pass(2 * second)
    expect(shown(world)).toHaveLength(4)
    expect(world.asked[0]!.slice(0, 2)).toEqual(["[image]", "[image]"])
  })
})

describe("what is neither text nor a picture", () => {
  for (const [what, message] of Object.entries({
    audio: inbound.audio(),
    sticker: inbound.sticker(),
    reaction: inbound.reaction("👍"),
    "a choice": inbound.buttonReply("Yes"),
    "a place": inbound.location(),
    "an unknown type": inbound.unheardOf()
  })) {
    scenario(`is stored and not answered: ${what}`, function* (world) {
      yield* world.deliver(inboundMessages(message))
      yield* world.pass(minute)
      expect(world.model.works).toEqual([])
      expect(yield* world.messages()).toHaveLength(1)
      expect(yield* world.job()).toMatchObject({ waitingSince: null, dueAt: null })
    })
  }
})

/** Everything that keeps an agent silent: how it is turned off, and on again. */
const switches: Readonly<Record<string, (world: ReplyWorld, isOn: boolean) => Effect.Effect<unknown, unknown>>> = {
  "the number's switch": (world, isOn) => world.switchNumber(isOn),
  "the number's agent": (world, isOn) => world.link(isOn ? world.bot.id : null),
  "the agent's task": (world, isOn) => world.changeBot({ systemPrompt: isOn ? "You sell tea." : " " }),
  "the agent": (world, isOn) => world.changeBot({ isActive: isOn }),
  "the conversation": (world, isOn) => world.setTakeover(!isOn),
  "the account": (world, isOn) =>
    world.run(
      Accounts.use((accounts) => accounts.change(world.tenant, { status: isOn ? "active" : "inactive" }, operator))
    ),
  "the account's payment method": (world, isOn) =>
    world.run(
      Accounts.use((accounts) =>
        accounts.change(world.tenant, { paymentMethod: isOn ? "verified" : "missing" }, operator)
      )
    )
}

for (const [what, turn] of Object.entries(switches)) {
  describe(`while ${what} is off`, () => {
    /** It is on again, and what was written meanwhile is not answered, but known to the next answer. */
    const silent = function* (world: ReplyWorld, before: number) {
      yield* turn(world, true)
      yield* world.pass(minute)
      expect(world.texts()).toEqual(["first"])
      expect(world.model.works).toHaveLength(before)
      expect(yield* world.job()).toMatchObject({ waitingSince: null, dueAt: null })
      world.model.says("next")
      yield* world.writes("3")
      yield* world.pass(minute)
      expect(world.texts()).toEqual(["first", "next"])
      expect(world.asked.at(-1)).toEqual(["1", "2", "3"])
    }

    const met = function* (world: ReplyWorld) {
      world.model.says("first")
      yield* world.writes("1")
      yield* world.pass(minute)
    }

    // Verifies: N-54.
    scenario("what arrives gets no reply, then or later", function* (world) {
      yield* met(world)
      yield* turn(world, false)
      yield* world.writes("2")
      yield* silent(world, 1)
    })

    scenario("no model is run", function* (world) {
      yield* met(world)
      yield* world.writes("2")
      yield* turn(world, false)
      yield* world.pass(minute)
      yield* silent(world, 1)
    })

    // Verifies: N-6.
    scenario("what a model has generated is not sent", function* (world) {
      yield* met(world)
      const run = world.model.waits()
      yield* world.writes("2")
      yield* world.pass(2 * second)
      yield* run.begun
      yield* turn(world, false)
      yield* run.answer("too late")
      yield* world.settle
      yield* silent(world, 2)
    })
  })
}

describe("a number", () => {
  const otherAgent = (world: ReplyWorld) =>
    world.run(
      Bots.use((bots) =>
        bots.create(world.tenant, {
          ...{ name: "Other", type: "messaging", systemPrompt: "You sell coffee.", isActive: true, config: {} }
        })
      )
    )

  scenario("that gets another agent while one generates a reply sends the new agent's reply alone", function* (world) {
    const run = world.model.waits()
    yield* world.writes("1")
    yield* world.pass(2 * second)
    const other = yield* otherAgent(world)
    yield* world.link(other!.id)
    yield* run.answer("Tea!")
    yield* world.pass(minute)
    expect(world.texts()).toEqual([])
    world.model.says("Coffee!")
    yield* world.writes("2")
    yield* world.pass(minute)
    expect(world.texts()).toEqual(["Coffee!"])
  })

  scenario("whose agent is removed while it generates a reply sends nothing", function* (world) {
    const run = world.model.waits()
    yield* world.writes("1")
    yield* world.pass(2 * second)
    yield* world.run(Bots.use((bots) => bots.remove(world.tenant, world.bot.id as Ids.BotId)))
    yield* run.answer("Tea!")
    yield* world.pass(minute)
    expect(world.texts()).toEqual([])
  })

  scenario("does not answer itself", function* (world) {
    yield* world.deliver(inboundMessages(world.text("echo", { from: "15550783881", from_user_id: undefined })))
    yield* world.pass(minute)
    expect(world.model.works).toEqual([])
  })
})

describe("a human operator", () => {
  // Verifies: N-6.
  scenario("who takes over while the model runs is the only one to answer, until they hand back", function* (world) {
    const run = world.model.waits()
    yield* world.writes("1")
    yield* world.pass(2 * second)
    yield* world.setTakeover()
    yield* run.answer("too late")
    yield* world.pass(minute)
    yield* world.writes("2")
    yield* world.pass(minute)
    expect(world.texts()).toEqual([])
    expect(world.model.works).toHaveLength(1)
    yield* world.setTakeover(false)
    yield* world.pass(minute)
    expect(world.texts()).toEqual([])
    world.model.says("Here again.")
    yield* world.writes("3")
    yield* world.pass(minute)
    expect(world.texts()).toEqual(["Here again."])
  })

  scenario("who answers in the app has answered every message that waited", function* (world) {
    yield* world.writes("1")
    yield* world.delivers({ echoes: [inboundEcho("Yes.")] })
    yield* world.pass(minute)
    expect(world.model.works).toEqual([])
    yield* world.writes("2")
    yield* world.pass(minute)
    expect(world.texts()).toEqual(["hello"])
  })

  scenario("who answers in the app while the model runs has the last word", function* (world) {
    const run = world.model.waits()
    yield* world.writes("1")
    yield* world.pass(2 * second)
    yield* world.delivers({ echoes: [inboundEcho("Yes.")] })
    yield* run.answer("Yes, we do.")
    yield* world.pass(minute)
    expect(world.texts()).toEqual([])
    expect(yield* world.job()).toMatchObject({ waitingSince: null, dueAt: null })
    expect((yield* world.messages()).map(({ role }) => role)).toEqual(["user", "agent"])
  })
})

describe("a customer who says STOP", () => {
  scenario("gets nothing more, also to what they had asked, and gets a reply when they write again", function* (world) {
    const run = world.model.waits()
    yield* world.writes("Is there tea?")
    yield* world.pass(1500)
    yield* run.begun
    yield* world.writes("Stop!")
    yield* run.answer("There is.")
    yield* world.pass(minute)
    expect(world.texts()).toEqual([])
    world.model.says("Until six.")
    yield* world.writes("Sorry: when do you close?")
    yield* world.pass(minute)
    expect(world.texts()).toEqual(["Until six."])
    expect(world.asked.at(-1)).toEqual(["Is there tea?", "Stop!", "Sorry: when do you close?"])
  })
})

describe("the window", () => {
  const sent = (world: ReplyWorld, secondsLeft: number) =>
    world.deliver(inboundMessages(world.text("late", { timestamp: String((start - day) / second + secondsLeft) })))
  const quiet = { reply: { quietMs: 2 * second } }

  scenario(
    "lets an answer go that is committed in its last second",
    function* (world) {
      yield* sent(world, 3)
      yield* world.pass(minute)
      expect(world.texts()).toEqual(["hello"])
    },
    quiet
  )

  scenario(
    "is closed at its end: no model is run",
    function* (world) {
      yield* sent(world, 2)
      yield* world.pass(minute)
      expect(world.model.works).toEqual([])
    },
    quiet
  )

  scenario(
    "that closes while the model runs keeps the answer back",
    function* (world) {
      slow(world, second)
      yield* sent(world, 3)
      yield* world.pass(minute)
      expect(world.model.works).toHaveLength(1)
      expect(world.texts()).toEqual([])
    },
    quiet
  )

  scenario("is not kept open by a sender's clock", function* (world) {
    yield* world.deliver(inboundMessages(world.text("from the future", { timestamp: String(start / second + 3600) })))
    expect((yield* world.customer()).windowExpiresAt).toBe(start + day)
  })

  scenario("is not shortened by a message that arrives late", function* (world) {
    yield* world.writes("now")
    yield* sent(world, 100)
    expect((yield* world.customer()).windowExpiresAt).toBe(start + day)
  })
})

describe("two agents that answer each other", () => {
  scenario(
    "stop after 60 turns in an hour, and go on when it is over",
    function* (world) {
      for (let turns = 0; turns < 61; turns += 1) {
        yield* world.writes(`turn ${turns}`)
        yield* world.rest
      }
      expect(world.texts()).toHaveLength(60)
      yield* world.jump(60 * minute)
      yield* world.writes("still within the hour")
      yield* world.rest
      expect(world.texts()).toHaveLength(60)
      yield* world.jump(1)
      yield* world.writes("an hour later")
      yield* world.rest
      expect(world.texts()).toHaveLength(61)
    },
    { reply: { quietMs: 0 } }
  )
})
