/**
 * Shows and sets what customers see of a number's catalog, and shows catalogs and their products as the channel's network has them.
 *
 * Promises  COMM-1 a list of products that the network would not show is refused before anything is asked.
 *           COMM-2 the prices and the total of an order are the decimals that the customer has sent, digit by digit.
 * Needs     ConnectedNumberStore, ChatChannels.  Emits  nothing.
 * Not here  what an order is (messaging/messages), how a list of products is checked (messaging/sending), the wire (packages/providers).
 * Read      Commerce.ts. Source: docs/reference/catalog.md.
 */
export { Commerce } from "./Commerce.ts"
