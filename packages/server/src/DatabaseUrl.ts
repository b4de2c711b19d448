/** URLs of Postgres, read before its client is loaded. They may name several servers: `postgres://user:password@a:5432,b:5432/database`. */

/** The URL of the first of its servers, or null where it is none. */
export const firstServer = (url: string): URL | null => {
  if (!/^postgres(ql)?:\/\//.test(url)) return null
  const urls = serversOf(url)
  return urls.every((one) => URL.canParse(one)) ? new URL(urls[0]!) : null
}

export const isPostgresUrl = (url: string): boolean => firstServer(url) !== null

/** Hosts with their ports, as the URL has them. */
export const hostsOf = (url: string): string =>
  serversOf(url)
    .map((one) => new URL(one).host)
    .join(",")

/** One URL for each server. */
const serversOf = (url: string): ReadonlyArray<string> => {
  const [, start = "", hosts = "", end = ""] = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s.exec(url) ?? []
  return hosts.split(",").map((host) => `${start}${host}${end}`)
}
