/**
 * Calls people: by campaigns, one by one, from lists of contacts, and never one who is on the do-not-call list.
 *
 * Needs     Storage, a carrier, agents.          Emits  nothing by itself.
 * Not here  what an agent says on a call: voice/calls.
 * Rooms     suppression, calls, campaigns, contacts.
 * Read      campaigns, then calls. Source: docs/reference/campaigns.md, docs/reference/telephony.md.
 */
export { callingArea } from "./CallingArea.ts"
