/** The kind `simulator` of carriers, without its network. */
import type { TelephonyProvider } from "@trunkline/core"
import { faultsIn, providerKind, Settings } from "@trunkline/core/provider"
import { calleeAudio } from "./CalleeAudio.ts"
import { minSpeed, type SimulatorOptions, settingsOf } from "./SimulatorOptions.ts"

const { content, standard, value } = Settings

const isFast = (given: unknown): boolean => typeof given === "number" && given >= minSpeed

const isSound = (given: unknown): boolean => {
  try {
    return given instanceof Uint8Array && calleeAudio(given).length >= 0
  } catch {
    return false
  }
}

const settings = {
  /** How many times as fast as real ones calls of the simulator pass. Default 1. Source: docs/reference/telephony.md#simulator. */
  speed: standard(value<number>(`must be a number of at least ${minSpeed}`, isFast), 1),
  /** A WAV file of what callees of the simulator say to an agent. */
  calleeAudio: content(value("must be a WAV file", isSound))
}

export const simulatorKind = providerKind<SimulatorOptions, TelephonyProvider>({
  name: "simulator",
  settings,
  faultsOf: (options) => faultsIn(settingsOf(options)),
  make: async (options) => (await import("./Simulator.ts")).simulator(options)
})
