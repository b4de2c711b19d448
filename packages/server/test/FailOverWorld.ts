/** Two servers on a primary and its standby, between a carrier, a chat platform, a model and a receiver with logs of their own. */
import { type FakePlatform, inbound, inboundMessages, startFakePlatform } from "@trunkline/testing/messaging"
import { type FakeUpstream, openAiChat, startFakeOpenAi } from "@trunkline/testing/upstreams"
import { type Receiver, startReceiver } from "@trunkline/testing/webhooks"
import { type PairOptions, type PostgresPair, startPair } from "../../../test/PostgresPair.ts"
import { FakeTwilio } from "../../providers/test/twilio/FakeTwilio.ts"
import { appSecret, chatSettings, linkNumber } from "./LinkedNumber.ts"
import { accountOf, type Client, client, folder, json, keyOf, type Server, serve } from "./Spawned.ts"

const publicUrl = "https://voice.example.com"
const account = { accountSid: `AC${"a".repeat(32)}`, authToken: "a-token" }

export interface FailOverWorld {
  readonly pair: PostgresPair
  readonly carrier: FakeTwilio
  readonly platform: FakePlatform
  readonly receiver: Receiver
  readonly servers: readonly [Server, Server]
  readonly apis: readonly [Client, Client]
  /** Delivers a text of a customer to one of the servers; the status of its answer. */
  readonly says: (to: Server, from: string, text: string) => Promise<number>
  readonly close: () => Promise<void>
}

const configOf = (carrier: FakeTwilio, platform: FakePlatform, model: FakeUpstream) => ({
  telephony: {
    provider: "twilio",
    answer: { kind: "say" },
    twilio: {
      ...{ account_sid: account.accountSid, auth_token: account.authToken },
      ...{ base_url: carrier.url, public_url: publicUrl, default_from: "+14155550100", calls_per_second: 50 }
    }
  },
  ...chatSettings(platform, model, 200),
  webhooks: { allow_networks: ["127.0.0.0/8"] }
})

/** A number that is linked to an agent, and a subscription to the ends of calls. */
const prepare = async (api: Client, receiver: Receiver): Promise<void> => {
  await linkNumber(api)
  await api("POST", "/api/v1/webhooks", { url: `${receiver.origin}/hook`, events: ["call.completed"] })
}

export const startFailOverWorld = async (options: PairOptions): Promise<FailOverWorld> => {
  const [pair, carrier, platform, model, receiver] = await Promise.all([
    startPair(options),
    FakeTwilio.start({
      ...account,
      now: Date.now(),
      callsPerSecond: 50,
      phone: () => ({ does: "answer", ringsFor: 300, talksFor: 1000 })
    }),
    startFakePlatform(),
    startFakeOpenAi(),
    startReceiver()
  ])
  model.behave(() => openAiChat({ text: "Yes." }))
  const config = configOf(carrier, platform, model)
  const environment = { DATABASE_URL: pair.url, TRUNKLINE_SECRET: "a secret of both, long enough to be one" }
  const home = folder(1, config)
  const one = await serve(home, environment)
  // The load has more conversations than a smaller plan.
  await json(home, "account", "set", "--account", accountOf(one), "--plan", "enterprise", "--database", pair.url)
  const two = await serve(folder(1, config), environment)
  carrier.proxy = { publicUrl, to: two.url }
  carrier.run()
  const key = keyOf(one)
  const apis = [client(one, key), client(two, key)] as const
  await prepare(apis[0], receiver)
  return {
    ...{ pair, carrier, platform, receiver, apis },
    servers: [one, two],
    says: ({ url }, from, text) => {
      platform.deliverTo({ url: `${url}/api/v1/messaging/inbound`, appSecret })
      const timestamp = String(Math.floor(Date.now() / 1000))
      return platform.deliver(inboundMessages(inbound.text(text, { from, from_user_id: undefined, timestamp })))
    },
    close: async () => {
      for (const { child } of [one, two]) child.kill("SIGKILL")
      await Promise.all([carrier.stop(), platform.close(), model.close(), receiver.close(), pair.stop()])
    }
  }
}
