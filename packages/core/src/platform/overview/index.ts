/**
 * Says what an account has, and what is still to be done before it can use the product.
 *
 * Promises  OVER-1 every person of an account reads its plan, money and features; a key needs the scope `usage:read`.
 *           OVER-2 the steps of the setup are those of the rooms that are there, in one order, and of the account alone.
 * Needs     Accounts, the rooms' SetupSteps.     Emits  nothing.
 * Not here  whether a step is done (the room that has the step); who is asking (platform/people).
 * Read      OverviewApi.ts, then Setup.ts. Source: docs/reference/access.md#account.
 */
export { PersonConversations } from "./PersonConversations.ts"
export { SetupSteps } from "./Setup.ts"
