/** This room, as the host has it. */
import { room } from "../room/index.ts"
import { oidcGroup } from "./OidcApi.ts"
import * as OidcHttp from "./OidcHttp.ts"

/** The options, as far as they decide which routes there are. */
export interface OidcRoomOptions {
  readonly auth?: { readonly oidc?: object }
}

export const Room = room({
  name: "platform/oidc",
  api: () => [oidcGroup] as const,
  groupsOff: ({ auth }: OidcRoomOptions) => (auth?.oidc === undefined ? ["oidc"] : []),
  handlers: OidcHttp.layer
})
