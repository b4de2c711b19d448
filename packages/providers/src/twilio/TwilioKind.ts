/** The kind `twilio` of carriers, without its client. */
import type { TelephonyProvider } from "@trunkline/core"
import { faultsIn, providerKind, type SettingFault, Settings } from "@trunkline/core/provider"
import { type TwilioOptions, twilioSettings } from "./TwilioOptions.ts"

const { positive, secret, text } = Settings

const settings = {
  /** The account's SID. Source: docs/reference/telephony.md#twilio. */
  accountSid: text,
  /** The account's token. */
  authToken: secret,
  /** The address of the carrier's API. */
  baseUrl: text,
  /** The address at which the carrier reaches this server. */
  publicUrl: text,
  /** The caller number of accounts that have none. */
  defaultFrom: text,
  /** The calls a second that the carrier has granted. */
  callsPerSecond: positive
}

const needs: Readonly<Record<string, string>> = {
  accountSid: "the account's SID, AC and 32 hexadecimal digits",
  authToken: "the account's token",
  publicUrl: "the address at which the carrier reaches this server"
}

const musts: Readonly<Record<string, string>> = {
  accountSid: "must be AC and 32 hexadecimal digits",
  baseUrl: "must be an https URL without credentials, query or fragment; http for this machine alone",
  publicUrl:
    "must be an https URL without credentials, query or fragment, and without _ in its host name; http for this machine alone",
  defaultFrom: "must be an E.164 number such as +15005550006"
}

/** What the carrier's own check finds, each option once and in the words of a file. */
const faultsOf = (options: TwilioOptions): ReadonlyArray<SettingFault> => {
  const found = new Map(faultsIn(twilioSettings(options)).map(({ message, path }) => [String(path[0]), message]))
  const isMissing = (name: string): boolean => options[name as keyof TwilioOptions] === undefined
  return [...found].map(([name, message]) => ({
    path: [name],
    message: isMissing(name) ? `is needed with the provider twilio: ${needs[name]}` : (musts[name] ?? message)
  }))
}

export const twilioKind = providerKind<TwilioOptions, TelephonyProvider>({
  name: "twilio",
  settings,
  faultsOf,
  make: async (options) => (await import("./Twilio.ts")).twilio(options)
})
