/**
 * The client and the pages have neutral names; an installation may have a word of its own for chats, which stands in paths and scopes.
 * Pure.
 */

const neutral = "messaging"

/** The address of a request under the installation's word. */
export const inOwnPath = (url: string, channel: string): string =>
  url.replace(new RegExp(`/api/v1/${neutral}(?=[/?]|$)`), `/api/v1/${channel}`)

/** What a person may do, by its neutral name. */
export const neutralScopes = (scopes: ReadonlyArray<string>, channel: string): ReadonlyArray<string> =>
  scopes.map((scope) => (scope.startsWith(`${channel}:`) ? `${neutral}${scope.slice(channel.length)}` : scope))
