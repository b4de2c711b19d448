/** Where the weights stand whose folder nobody has named. */
import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"

/** `$XDG_CACHE_HOME/trunkline/models`, or `~/.cache/trunkline/models`. */
export const defaultModelsFolder = (): string => {
  const caches = process.env.XDG_CACHE_HOME ?? ""
  // A relative one is to be ignored, says the standard.
  return join(isAbsolute(caches) ? caches : join(homedir(), ".cache"), "trunkline", "models")
}
