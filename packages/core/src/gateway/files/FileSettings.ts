/** Settings of files. Source: docs/reference/configuration.md. */
import * as Context from "effect/Context"

export interface FileSettings {
  /** Bytes of one upload at most. */
  readonly maxBytes: number
}

export const FileSettings = Context.Reference<FileSettings>("@trunkline/core/gateway/files/FileSettings", {
  defaultValue: () => ({ maxBytes: 104_857_600 })
})
