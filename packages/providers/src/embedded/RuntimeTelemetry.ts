/** Keeps the speech runtime from reporting to its vendor. Source: docs/reference/embedded.md#telemetry. */
import { isMainThread } from "node:worker_threads"

export const telemetryVariable = "ORT_DISABLE_TELEMETRY"

/** The host runs in a worker thread, from where the telemetry of the runtime cannot be turned off. */
export class TelemetryEnabled extends Error {
  override readonly name = "TelemetryEnabled"

  constructor() {
    super(
      `the embedded speech engine runs in a worker thread, which cannot turn off the telemetry of its runtime: set ${telemetryVariable}=1 in the environment of the process`
    )
  }
}

/**
 * Turns the runtime's telemetry off, unless the host has set the variable. The library reads the process's environment once,
 * when it is loaded, and the environment of a thread is a copy: this runs in the main thread before the engine's thread starts.
 */
export const disableTelemetry = (environment: NodeJS.ProcessEnv = process.env, isMain = isMainThread): void => {
  // An empty one does not turn it off.
  if (environment[telemetryVariable]) return
  if (!isMain) throw new TelemetryEnabled()
  environment[telemetryVariable] = "1"
}
