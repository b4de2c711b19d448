/** Where callers reach the mount point, as the API's description says it. */
import { TrunklineError } from "./TrunklineError.ts"

/** Paths follow it, each with a slash of its own. */
export const serverUrl = (url: string): string => {
  if (!url.startsWith("/") && !/^https?:\/\/./i.test(url)) {
    throw new TrunklineError(
      "url_invalid",
      422,
      `${JSON.stringify(url)} is no URL of a mount point: use https://…, http://… or a path that begins with /`
    )
  }
  return url === "/" ? url : url.replace(/\/+$/, "")
}
