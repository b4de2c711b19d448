/** What providers find wrong with their sections of the file. They load their client libraries, so only the server's commands import this. */
import { snakeName } from "@trunkline/core/storage"
import { InvalidSimulatorOptions, simulator } from "@trunkline/providers/simulator"
import { InvalidTwilioOptions, type TwilioOptions, twilio } from "@trunkline/providers/twilio"
import type { Fault } from "./ConfigFaults.ts"
import type { Sections } from "./ConfigFile.ts"
import type { Rules } from "./ConfigReader.ts"
import { messagingFaults } from "./Messaging.ts"
import * as Kinds from "./ProviderKinds.ts"
import { entryFaults } from "./ProviderSections.ts"
import { upstreamFaults } from "./Upstreams.ts"

type Telephony = Sections["telephony"]

/** The rules of every section that a provider must check. */
export const providerRules: Rules = {
  telephony: ({ telephony }) => telephonyRules(telephony),
  messaging: ({ messaging }) => messagingFaults(messaging),
  models: ({ models }) => upstreamFaults(models),
  search: ({ search: { providers = {} } }) => entryFaults(Kinds.searches, providers, "search.providers")
}

const telephonyRules = ({ provider, simulator, twilio }: Telephony): ReadonlyArray<Fault> => [
  ...speedRules(simulator?.speed),
  ...(provider === "twilio" ? twilioRules(twilio) : [])
]

const speedRules = (speed: number | undefined): ReadonlyArray<Fault> => {
  if (speed === undefined) return []
  try {
    simulator({ speed })
    return []
  } catch (error) {
    if (!(error instanceof InvalidSimulatorOptions)) throw error
    return [{ path: "telephony.simulator.speed", message: "must be a number of at least 0.001" }]
  }
}

const twilioNeeds: Readonly<Record<string, string>> = {
  accountSid: "the account's SID, AC and 32 hexadecimal digits",
  authToken: "the account's token",
  publicUrl: "the address at which the carrier reaches this server"
}

const twilioMust: Readonly<Record<string, string>> = {
  accountSid: "must be AC and 32 hexadecimal digits",
  baseUrl: "must be an https URL without credentials, query or fragment; http for this machine alone",
  publicUrl:
    "must be an https URL without credentials, query or fragment, and without _ in its host name; http for this machine alone",
  defaultFrom: "must be an E.164 number such as +15005550006"
}

/** Settings that can work, to put those to the test that are there. */
const working: TwilioOptions = {
  accountSid: `AC${"0".repeat(32)}`,
  authToken: "token",
  publicUrl: "https://example.com"
}

/** The provider itself knows what it can work with. */
const twilioRules = (given: Telephony["twilio"] = {}): ReadonlyArray<Fault> => {
  const path = (name: string) => `telephony.twilio.${snakeName(name)}`
  const missing = Object.entries(twilioNeeds)
    .filter(([name]) => !Object.hasOwn(given, name))
    .map(([name, what]) => ({ path: path(name), message: `is needed with the provider twilio: ${what}` }))
  const wrong = Object.entries(given).flatMap(([name, value]) => {
    if (name === "authToken") return []
    try {
      twilio({ ...working, [name]: value })
      return []
    } catch (error) {
      if (!(error instanceof InvalidTwilioOptions)) throw error
      const [problem = ""] = error.problems
      return [{ path: path(name), message: twilioMust[name] ?? problem.replace(/^\w+: /, "") }]
    }
  })
  return [...missing, ...wrong]
}
