/** The variables under which a child process reads the same wall clock as this one. Source: RunTests.ts. */
export const clockVariables = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && (name === "LD_PRELOAD" || name.startsWith("FAKETIME")) ? [[name, value]] : []
    )
  )

/**
 * The variables of this process without those of its clock: a browser does not start under libfaketime. Its own clock is
 * set by the page's test.
 */
export const withoutClock = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || name in clockVariables() ? [] : [[name, value]]
    )
  )
