/** Calls of an earlier release's simulated carrier, in the table that they had. */
const id = (n: number): string => `01890000-0000-7000-8000-00000000000${n}`

/** The migration that moves them. */
export const movingCalls = "states of providers"

/** Statements that fill the schema of the version before; `no` and `yes` are how the database writes them. */
export const callsOfSimulator = (no: string, yes: string): string =>
  `insert into carrier_book (call_id, provider_call_id, "to", "from", detect_machine, accepted_at, stopped_at, message_at, closed_at)
  values ('${id(1)}', 'SIM-1', '+91 98765 43210', null, ${no}, 1780000000000, null, null, null),
    ('${id(2)}', 'SIM-2', '+91 98765 43285', '+1 415 555 0100', ${yes}, 1780000000001, 1780000000003, 1780000000002, 1780000000004)`

/** Reads what must be there afterwards. */
export const readStates = "select provider, key, state, is_open from provider_states order by key"

/** The rows with their state parsed. */
export const movedCalls = [
  {
    provider: "simulator",
    key: id(1),
    state: {
      providerCallId: "SIM-1",
      to: "+91 98765 43210",
      from: null,
      detectMachine: false,
      acceptedAt: 1_780_000_000_000,
      stoppedAt: null,
      messageAt: null,
      closedAt: null
    },
    isOpen: true
  },
  {
    provider: "simulator",
    key: id(2),
    state: {
      providerCallId: "SIM-2",
      to: "+91 98765 43285",
      from: "+1 415 555 0100",
      detectMachine: true,
      acceptedAt: 1_780_000_000_001,
      stoppedAt: 1_780_000_000_003,
      messageAt: 1_780_000_000_002,
      closedAt: 1_780_000_000_004
    },
    isOpen: false
  }
]

/** One row as the database returned it. */
export const movedCall = ([provider, key, state, isOpen]: ReadonlyArray<unknown>) => ({
  provider,
  key,
  state: typeof state === "string" ? (JSON.parse(state) as unknown) : state,
  isOpen: isOpen === true || isOpen === 1
})
