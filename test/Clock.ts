/** Clocks of processes that differ from the machine's, by libfaketime. */
import { existsSync } from "node:fs"

/** The library of Debian's package `faketime`; null where it is not installed. */
export const clockLibrary: string | null =
  ["x86_64", "aarch64"]
    .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
    .find((path) => existsSync(path)) ?? null

/** The variables under which a process reads a wall clock at a distance, such as `+40h`. Its time limits run as before. */
export const clockAt = (library: string, distance: string): Record<string, string> => ({
  LD_PRELOAD: library,
  FAKETIME: distance,
  FAKETIME_DONT_FAKE_MONOTONIC: "1",
  FAKETIME_NO_CACHE: "1"
})

/** The variables under which a process reads a wall clock that is ahead by that; none for 0, or without the library. */
export const clockAhead = (library: string | null, ms: number): Record<string, string> =>
  library === null || ms === 0 ? {} : clockAt(library, `${ms < 0 ? "-" : "+"}${Math.abs(ms) / 1000}`)

/**
 * The variables under which a child process reads the same wall clock as this one. Source: RunTests.ts. Read once: they are
 * others while a database server with a clock of its own starts.
 */
export const clockVariables: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) =>
    value !== undefined && (name === "LD_PRELOAD" || name.startsWith("FAKETIME")) ? [[name, value]] : []
  )
)

/** The variables of this process without those of its clock: for browsers, which do not start under libfaketime, and databases. */
export const withoutClock = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || name in clockVariables ? [] : [[name, value]]
    )
  )
