/** The servers that a URL names: `postgres://user:password@a:5432,b:5433/database` names two. */

/** One URL for each server, in their order. */
export const serverUrls = (url: string): ReadonlyArray<string> => {
  const parts = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/is.exec(url)
  if (parts === null) return [url]
  const [, start, hosts, end] = parts as unknown as readonly [string, string, string, string]
  return hosts.split(",").map((host) => `${start}${host}${end}`)
}
