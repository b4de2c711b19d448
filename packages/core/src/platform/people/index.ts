/**
 * Decides who of an account's people may sign in here, and says to each caller who they are.
 *
 * Promises  PEOP-1 a caller is answered who they are, how they have signed in, and all that they may do.
 * Needs     CurrentPrincipal.                    Emits  nothing.
 * Not here  what a scope or a role allows (platform/accounts).
 * Read      MeApi.ts. Source: docs/reference/access.md#me.
 */
export { meOf } from "./MeHttp.ts"
